import { NotAllowed, StepFailed } from '../client/errors.ts'
import { orOnceMore } from '../client/once-more.ts'
import { CannotTell, Other } from './probe.ts'

/** Whether an error is a reason why something cannot be determined, rather than a bug of ours. */
export const isReason = (error: unknown): error is Error =>
  error instanceof CannotTell || error instanceof StepFailed || error instanceof NotAllowed

/**
 * Goes the first way that is open on this server. What one operation, record or channel does not show, another may: the
 * usual way comes first, and the reasons of all are reported when none is open.
 */
export async function tryEach<Result>(...ways: readonly (() => Promise<Result>)[]): Promise<Result> {
  const reasons = new Set<string>()
  for (const way of ways) {
    try {
      return await orOnceMore(way)
    } catch (error) {
      if (!isReason(error)) throw error
      reasons.add(error.message)
    }
  }
  throw new CannotTell([...reasons].join('; and '))
}

/**
 * What a server does in several places, such as with each kind of record. No choice describes one that differs among them; a
 * place where it cannot be told counts for nothing.
 */
export async function sameInAll<Choice extends string>(
  ways: Readonly<Record<string, () => Promise<Choice>>>,
): Promise<Choice> {
  const done = new Map<string, string[]>()
  const reasons = new Set<string>()
  let chosen: Choice | undefined
  for (const [place, way] of Object.entries(ways)) {
    try {
      chosen = await orOnceMore(way)
      done.set(chosen, [...(done.get(chosen) ?? []), place])
    } catch (error) {
      if (error instanceof Other) done.set(error.message, [...(done.get(error.message) ?? []), place])
      else if (isReason(error)) reasons.add(error.message)
      else throw error
    }
  }
  if (done.size === 0) throw new CannotTell([...reasons].join('; and '))
  if (done.size === 1 && chosen !== undefined) return chosen
  const told = [...done].map(([what, places]) => (done.size === 1 ? what : `${places.join(', ')}: ${what}`))
  throw new Other(told.join('; '))
}
