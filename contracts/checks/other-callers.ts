import { plainType } from '../../client/bodies.ts'
import { type Kind, kinds, pathTo, type Subject } from '../../client/kinds.ts'
import { expect } from 'vitest'
import { fieldsOf } from '../../client/answer.ts'
import { NotAllowed, StepFailed } from '../../client/errors.ts'
import { sending, type SingleSend } from '../../client/operations.ts'
import type { Tools } from '../../client/tools.ts'
import { singleSends } from '../../spec/operation-groups.ts'
import { BrokenPromise } from '../judge/outcome.ts'
import { historyOf, messagesOn } from './history.ts'
import { makeConversation } from './sends.ts'

// What holds for the key of the team holds for the second team and for bearer tokens. Which routes take a token is left
// open, so what they are refused says nothing; what they are told is done must be done.

/** The other callers whose credentials are given; beyond this machine, a refused token would end the run. */
function otherCallers({ as, target }: Tools): Tools[] {
  const token = target.credentials.admin ? 'admin' : 'agent'
  const callers = target.loopback ? (['otherTeam', token] as const) : (['otherTeam'] as const)
  return callers.filter((who) => target.credentials[who] !== undefined).map((who) => as(who))
}

/** An update that succeeds for another caller is kept. */
export async function keepsUpdatesOfOthers(given: Tools, kind: Kind): Promise<void> {
  await withRecordsOfOthers(given, kind, async (caller, record) => {
    const field = kind === 'contact' ? 'lastName' : 'name'
    const change = { [field]: caller.mint.name('Engine') }
    const type = kind === 'template' ? { templateType: plainType(caller.target) } : {}
    const { succeeded } = await caller.call(
      kinds[kind].seenBy === 'getTemplate' ? 'updateTemplate' : kinds[kind].seenBy,
      {
        ...pathTo(kind, record._id),
        body: { ...type, ...change },
      },
    )
    if (!succeeded) return
    const shown = fieldsOf(await caller.look(kind, { ...record, ...change }))
    if (field in shown) expect(shown).toMatchObject(change)
  })
}

/** What another caller has deleted is gone. */
export async function removesForOthers(given: Tools, kind: Kind): Promise<void> {
  await withRecordsOfOthers(given, kind, async (caller, record) => {
    if (!(await caller.call(kinds[kind].deletedBy, pathTo(kind, record._id))).succeeded) return
    const { succeeded, summary } = await caller.view(kind, record)
    if (succeeded) throw new BrokenPromise(`no ${kind} any more`, summary)
  })
}

/** A message that another caller has sent is in the history. */
export async function keepsMessagesOfOthers(given: Tools): Promise<void> {
  if (!given.target.loopback) return
  for (const caller of otherCallers(given))
    for (const operation of singleSends) await unlessRefused(() => keepsMessage(operation, caller))
}

async function keepsMessage(operation: SingleSend, caller: Tools): Promise<void> {
  const { message, into } = sending[operation]
  const conversation = await makeConversation(operation, caller)
  const body = message(caller, into(conversation))
  const { _id, content = body.content } = fieldsOf((await caller.ask(operation, { body })).data)
  const history = messagesOn(await historyOf(caller, conversation._id))
  if (!history.some((one) => one._id === _id || one.content === content))
    throw new BrokenPromise('the message that was sent', `the history of ${conversation._id} lacks it`)
}

async function withRecordsOfOthers(
  given: Tools,
  kind: Kind,
  act: (caller: Tools, record: Subject) => Promise<void>,
): Promise<void> {
  for (const caller of otherCallers(given))
    await unlessRefused(async () => {
      const { make, target } = caller
      await act(caller, kind === 'template' ? await make.template(plainType(target)) : await make[kind]())
    })
}

/** Whether a caller may do this is for another promise to say. */
export async function unlessRefused(act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof StepFailed || error instanceof NotAllowed)) throw error
  }
}
