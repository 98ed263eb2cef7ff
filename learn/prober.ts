import { Client, type ClientOptions } from '../client/client.ts'
import { orOnceMore } from '../client/errors.ts'
import { sleep } from '../client/sleep.ts'
import { createTools } from '../client/tools.ts'
import type { SwitchableName } from '../spec/assumptions.ts'
import { type Finding, Other, reasonOf, withoutDelay, wordsOf } from './finding.ts'
import type { Probe, ProbeContext } from './probe.ts'
import { probes } from './probes/index.ts'

interface ProberOptions extends ClientOptions {
  /** How long to wait for a later effect, in milliseconds. */
  readonly patience: number
}

/** Runs the probe of each entry twice, and gives probes their tools. */
export class Prober {
  readonly client: Client
  readonly findings = new Map<SwitchableName, Finding>()
  readonly #context: ProbeContext

  constructor({ patience, ...options }: ProberOptions) {
    const client = new Client(options)
    const found = new Map<string, Promise<unknown>>()
    this.client = client
    this.#context = {
      ...createTools(client, options.target, options.mint),
      timeUntil: (isSo) => timeUntil(isSo, patience, () => client.stopped !== undefined),
      once: (what, find) => {
        const known = found.get(what) ?? orOnceMore(find)
        found.set(what, known)
        return known as ReturnType<typeof find>
      },
    }
  }

  async probe(name: SwitchableName): Promise<Finding> {
    const finding = await this.#probeTwice(probes[name])
    this.findings.set(name, finding)
    return finding
  }

  async #probeTwice(probe: Probe<SwitchableName>): Promise<Finding> {
    const first = await this.#probeOnce(probe)
    if (first.outcome === 'cannotTell') return first
    const second = await this.#probeOnce(probe)
    if (second.outcome === 'cannotTell') return second
    if (isSame(first, second)) return first
    return delayAmong(first, second) ?? { outcome: 'unstable', words: `${wordsOf(first)}, then ${wordsOf(second)}` }
  }

  async #probeOnce(probe: Probe<SwitchableName>): Promise<Finding> {
    try {
      return { outcome: 'seen', written: await orOnceMore(() => probe(this.#context)) }
    } catch (error) {
      if (error instanceof Other) return { outcome: 'other', words: error.message }
      return { outcome: 'cannotTell', words: reasonOf(error) }
    }
  }
}

/** Two measurements of a delay are never equal, and two descriptions need not be. */
const isSame = (one: Finding, other: Finding) =>
  one.outcome === other.outcome &&
  (one.outcome === 'other' || withoutDelay(wordsOf(one)) === withoutDelay(wordsOf(other)))

/** An effect that was there at once, and another time after a delay, has a delay: the first read came late. */
function delayAmong(...findings: readonly Finding[]): Finding | undefined {
  const delayed = findings.find((finding) => wordsOf(finding).startsWith('afterDelay:'))
  return findings.some((finding) => wordsOf(finding) === 'atOnce') ? delayed : undefined
}

/** Rounds to ten milliseconds, since the requests themselves take some. */
async function timeUntil(
  isSo: () => Promise<boolean>,
  patience: number,
  isOver: () => boolean,
): Promise<number | undefined> {
  const startedAt = Date.now()
  if (await isSo()) return 0
  for (let pause = 10; !isOver() && Date.now() < startedAt + patience; pause = Math.min(2 * pause, 250)) {
    await sleep(pause)
    if (await isSo()) return Math.max(10, Math.round((Date.now() - startedAt) / 10) * 10)
  }
  return undefined
}
