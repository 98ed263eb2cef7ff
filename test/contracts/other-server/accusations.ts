import { takingTime } from './without-waiting.ts'
import type { StartedTarget } from '../../../contracts/index.ts'
import type { Send } from '../../../contracts/client/transport.ts'
import type { CheckResult } from '../../../contracts/judge/outcome.ts'
import { promise, promises, type PromiseId } from '../../../spec/promises.ts'
import { resultsOf, send } from '../deviants/suite.ts'
import type { Switches } from './switches.ts'
import { type Deviation, otherTarget, sendTo, Service, startOtherServer } from './server.ts'

interface Judging {
  readonly change: (send: Send) => Send
  /** The promises to judge; by default all. */
  readonly ids: readonly PromiseId[]
  readonly deviation?: Deviation | undefined
}

const all = promises.map(({ id }) => id)

/** Runs the suite against a server with these switches; returns its accusations and the result of each check. */
export async function judgeOtherServer(
  choices: Partial<Switches>,
  options: StartedTarget['wanted'] = {},
  { change = (send) => send, ids = all, deviation }: Partial<Judging> = {},
) {
  const service = new Service(choices, { deviation })
  const results: CheckResult[] = []
  const target = otherTarget(`http://127.0.0.1${service.switches.prefix}`, options)
  for await (const result of resultsOf(ids, target, takingTime(change(sendTo(service))), true)) results.push(result)
  return { results, accusations: results.flatMap(accusationsIn) }
}

/** The same, over HTTP. */
export async function judgeOverHttp(choices: Partial<Switches>) {
  const server = await startOtherServer(choices)
  try {
    const results: CheckResult[] = []
    for await (const result of resultsOf(all, otherTarget(server.url), takingTime(send), true)) results.push(result)
    return { results, accusations: results.flatMap(accusationsIn) }
  } finally {
    await server.close()
  }
}

/** The promises that it says are broken, each once. */
export async function accuse(choices: Partial<Switches>, judge = judgeOtherServer): Promise<string[]> {
  const { accusations } = await judge(choices)
  return [...new Set(accusations)]
}

/** Broken promises and failed checks; a warning is no accusation. */
export function accusationsIn({ promise: id, outcome, reason = '', finding, faults }: CheckResult): string[] {
  const isFirm = (fault: { promise: typeof id }) => promise(fault.promise).strength !== 'usual'
  const own =
    outcome === 'broken' || outcome === 'failed'
      ? [`${id}: ${finding ? `expected ${finding.expected}, got ${finding.actual}` : reason}`]
      : []
  return [...own, ...faults.filter(isFirm).map(({ promise: of, expected, actual }) => `${of}: ${expected}, ${actual}`)]
}
