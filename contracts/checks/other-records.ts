import { expect } from 'vitest'
import { plainType } from '../client/bodies.ts'
import { fieldsOf } from '../client/answer.ts'
import { NotAllowed, StepFailed } from '../client/errors.ts'
import { type CreatedKind, kinds, pathTo, type Subject } from '../client/kinds.ts'
import type { Tools } from '../client/tools.ts'
import { BrokenPromise } from '../judge/outcome.ts'

// Records that a delete must not touch, and records of callers other than the key of the team.

/** The oldest of the first records of the run that still exists. */
export async function findOldest(tools: Tools, kind: CreatedKind): Promise<Subject[]> {
  for (const _id of tools.created(kind).slice(0, 20)) if (await isFound(tools, kind, _id)) return [{ _id }]
  return []
}

async function isFound({ readAnswer }: Tools, kind: CreatedKind, _id: string): Promise<boolean> {
  try {
    return (await readAnswer(kind, { _id })).succeeded
  } catch (error) {
    // The server gave a new record the id of an older one.
    if (error instanceof NotAllowed) return false
    throw error
  }
}

export async function expectStillThere({ readAnswer }: Tools, kind: CreatedKind, record: Subject): Promise<void> {
  const { status, summary } = await readAnswer(kind, record)
  if (status === 404) throw new BrokenPromise(`another ${kind} still in place`, summary)
}

export const makeAny = (kind: CreatedKind, { make, target }: Tools): Promise<Subject> =>
  kind === 'template' ? make.template(plainType(target)) : make[kind]()

/**
 * Acts as the second team and with a token. The specification leaves open which routes accept a token, so a refusal is
 * no fault; on another machine a refused token would end the run.
 */
export async function asOtherCallers(tools: Tools, act: (caller: Tools) => Promise<void>): Promise<void> {
  const { as, target } = tools
  if (target.credentials.otherTeam !== undefined) await unlessRefused(() => act(as('otherTeam')))
  await withToken(tools, act)
}

/** Acts with a token of the team, if there is one. */
export async function withToken({ as, target }: Tools, act: (token: Tools) => Promise<void>): Promise<void> {
  const who = (['admin', 'agent'] as const).find((name) => target.credentials[name])
  if (target.loopback && who) await unlessRefused(() => act(as(who)))
}

/** Other promises cover whether the caller may do this. */
export async function unlessRefused(act: () => Promise<unknown>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof StepFailed || error instanceof NotAllowed)) throw error
  }
}

/** Expects that a successful update by another caller is stored. */
export async function keepsUpdatesOfOthers(tools: Tools, kind: CreatedKind): Promise<void> {
  await asOtherCallers(tools, async (caller) => {
    const record = await makeAny(kind, caller)
    const field = kind === 'contact' ? 'lastName' : 'name'
    const change = { [field]: caller.mint.name('Engine') }
    const body = kind === 'template' ? { ...change, templateType: plainType(caller.target) } : change
    const update = kind === 'template' ? 'updateTemplate' : kinds[kind].shownBy
    if (!(await caller.call(update, { ...pathTo(kind, record._id), body })).succeeded) return
    const shown = fieldsOf(await caller.readRecord(kind, { ...record, ...change }))
    if (field in shown) expect(shown).toMatchObject(change)
  })
}
