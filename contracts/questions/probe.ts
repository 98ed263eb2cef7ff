import { idOf } from '../client/answer.ts'
import { orOnceMore } from '../client/errors.ts'
import { kinds, pathTo } from '../client/kinds.ts'
import { templatePages, type Tools } from '../client/tools.ts'
import { CannotTell, reasonOf } from './finding.ts'

/**
 * Determines the choice of a server for an entry, with new records. A probe
 *
 * - returns a choice only after it saw the effect: a server may accept a request that it does not understand;
 * - throws `Other` when no choice describes the behaviour, and `CannotTell` when another behaviour hides it. A failed step
 *   (`ask`, `make`) counts as `CannotTell` too, and so does a request that the operator does not allow.
 *
 * It gets its context twice: to take apart, and as a whole for functions that take it.
 */
export type Probe<Choice> = (parts: ProbeContext, context: ProbeContext) => Promise<Choice>

/** Makes the situation that shows a choice. */
export type Ask = Probe<unknown>

/** The tools of a probe. */
export interface ProbeContext extends Tools {
  /**
   * Polls until a condition holds, and returns the milliseconds that it took: 0 if it held at once, `undefined` if it did
   * not hold in the time that the operator allows.
   */
  readonly timeUntil: (isSo: () => Promise<boolean>) => Promise<number | undefined>
  /** Determines a fact that several entries depend on, such as a delay, once in a run. */
  readonly once: <Fact>(what: string, find: () => Promise<Fact>) => Promise<Fact>
  /** The choice that the exchanges of this act show. */
  readonly choiceShownBy: (act: () => Promise<unknown>) => Promise<string>
}

export const approvedSms = { types: ['sms'], statuses: ['approved'] }

/** Whether a list of templates has an SMS template. */
export async function lists({ call }: Pick<Tools, 'call'>, templateId: string): Promise<boolean> {
  for await (const page of templatePages((query) => call('listTemplates', { query }), approvedSms))
    if (page.some((template) => idOf(template) === templateId)) return true
  return false
}

/** The address of a file for messages: the picture that the operator names, or one that a server need not fetch. */
const fileUrl = ({ target }: Pick<Tools, 'target'>) => target.mediaUrl ?? 'https://www.example.com/plan.pdf'

export const attachment = (context: ProbeContext) => ({
  fileName: 'plan.pdf',
  fileSize: '12 KB',
  mimeType: 'application/pdf',
  mediaType: 'file',
  mediaUrl: fileUrl(context),
})

/** Returns the result of the first way that works on this server. If none works, the error has the reasons of all. */
export async function tryEach<Result>(...ways: readonly (() => Promise<Result>)[]): Promise<Result> {
  const reasons = new Set<string>()
  for (const way of ways) {
    try {
      return await orOnceMore(way)
    } catch (error) {
      reasons.add(reasonOf(error))
    }
  }
  throw new CannotTell([...reasons].join('; and '))
}

/** The id of a deleted record, since a server may refuse a made-up id for its form. */
export const unknownId = ({ once, ask, make }: ProbeContext, kind: UnknownKind): Promise<string> =>
  once(`the id of a deleted ${kind}`, async () => {
    if (kind === 'conversation') {
      const { _id, contactId } = await make.conversation()
      await ask('deleteContact', pathTo('contact', contactId._id))
      return _id
    }
    const { _id } = kind === 'template' ? await make.template('sms') : await make[kind]()
    await ask(kinds[kind].deletedBy, pathTo(kind, _id))
    return _id
  })

type UnknownKind = 'contact' | 'company' | 'deal' | 'template' | 'conversation'

/** No operation deletes providers, stages and users: the id of a company is none of theirs either. */
export const idOfNone =
  (kind: UnknownKind = 'company') =>
  (context: ProbeContext) =>
    unknownId(context, kind)

/** A read after more milliseconds does not show whether an effect was there at once. */
const late = 40

const mostTries = 4

/**
 * Returns how long an effect takes, in milliseconds; `undefined` when that is longer than the operator allows. On this
 * machine, where it costs nothing, the measurement begins again if the first read came too late.
 */
export async function timeTaken(
  { timeUntil, target }: ProbeContext,
  begin: () => Promise<() => Promise<boolean>>,
): Promise<number | undefined> {
  for (let tries = 1; ; tries++) {
    const begunAt = Date.now()
    const isSo = await begin()
    const delay = await timeUntil(isSo)
    if (delay !== 0 || Date.now() - begunAt <= late || tries === mostTries || !target.loopback) return delay
  }
}
