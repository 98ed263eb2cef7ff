import { inParallel } from '../client/clean.ts'
import { Client, type LedgerWriter } from '../client/client.ts'
import type { Mint } from '../client/mint.ts'
import { sleep } from '../client/sleep.ts'
import type { Target } from '../client/target/target.ts'
import { createTools, type Tools } from '../client/tools.ts'
import type { Send } from '../client/transport.ts'
import { promise, type PromiseEntry, type PromiseId } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import { type CheckLog, CheckLogs } from './check-log.ts'
import { judgedByLaws } from './judge.ts'
import { judgeCheck, type Judgement } from './judge-check.ts'
import { type LagKind, lagKindOf, Lags } from './lags.ts'
import { type Exchanges, type Finding, isolation } from './outcome.ts'
import { shorten } from './shorten.ts'
import type { StoryStep } from './steps.ts'
import { type Story, storyFrom, storyTools } from './story.ts'
import { NotAllowed } from '../client/errors.ts'
import { createExcuses } from './refused-values.ts'
import { Turns } from './turns.ts'

interface SessionOptions {
  readonly target: Target
  readonly mint: Mint
  readonly ledger: LedgerWriter
  readonly send: Send
  /** Waits for reads to follow writes. */
  readonly isPatient?: boolean
  /** Judges no more checks after one that fails. */
  readonly bail?: boolean
}

/** How often a check is run again after a failing gateway or a lost connection. */
const mostCut = 8

/** At least as long as reads lag, in milliseconds. */
const longestLag = 1000

type Check = (tools: Tools, countAssertion: () => void) => Promise<void>

/** One run of a check. */
interface Attempt {
  /** The least time between a write and a later request of this kind, in milliseconds. */
  readonly waitOf: (kind: LagKind) => number
  /** Whether no other check runs while it waits. */
  readonly isAlone: boolean
  /** After this time it waits no more. */
  readonly endsAt: number
  hasLetOthersRun: boolean
}

/** So many responses show a promise that the status and the form of each show. A law needs the situations of all stories. */
const enough = 20

interface Trial {
  readonly isAlone?: boolean
  readonly tried?: { readonly kinds: ReadonlySet<LagKind>; readonly wait: number }
}

/** Judges checks with one client: so many at a time, and those about whole lists alone after the others. */
export function createSession({ target, mint, ledger, send, isPatient = true, bail = false }: SessionOptions) {
  const lags = new Lags(target.loopback)
  const width = bail || !isPatient ? 1 : target.concurrency
  const turns = new Turns(width)
  const attempts = new WeakMap<object, Attempt>()
  const logs = new CheckLogs()
  let isOver = false
  const ended: Record<'last' | 'others', Promise<unknown>> = { last: Promise.resolve(), others: Promise.resolve() }

  async function waitForWrites(operation: OperationId): Promise<void> {
    const { current } = logs
    const attempt = current && attempts.get(current)
    // Before a check that runs alone begins, the writes of other checks must be visible.
    const wroteAt = current?.wroteAt ?? (attempt?.isAlone ? current?.othersWroteAt : undefined)
    if (!attempt || wroteAt === undefined) return
    const wait = wroteAt + attempt.waitOf(lagKindOf(operation)) - Date.now()
    if (wait <= 0) return
    if (attempt.isAlone) return sleep(Math.min(wait, attempt.endsAt - Date.now()))
    attempt.hasLetOthersRun = true
    await turns.passDuring(sleep(wait))
  }

  const client = new Client({ target, mint, ledger, send, observer: logs, before: waitForWrites })
  const tools = createTools(client, target, mint, { observe: logs.observe })
  const findExcuse = createExcuses(tools)

  async function judgeOnce(requirement: PromiseEntry, check: Check, { isAlone = true, tried }: Trial = {}) {
    const attempt: Attempt = {
      waitOf: (kind) => Math.max(lags.of(kind), tried?.kinds.has(kind) ? tried.wait : 0),
      isAlone,
      endsAt: Date.now() + lags.timeLeft,
      hasLetOthersRun: false,
    }
    const log = logs.begin()
    attempts.set(log, attempt)
    const parts = { client, log, findExcuse }
    const judgement = await logs.run(log, () =>
      judgeCheck(requirement, parts, (countAssertion) => check(tools, countAssertion)),
    )
    return { judgement, early: earlyIn(requirement, judgement, log), hasLetOthersRun: attempt.hasLetOthersRun }
  }

  async function judgePatiently(requirement: PromiseEntry, check: Check): Promise<Judgement> {
    let first = await judgeOnce(requirement, check, { isAlone: false })
    // A check can run again, since it creates its own records.
    for (let cut = 0; first.judgement.isCut && !client.stopped && cut < mostCut; cut++)
      first = await judgeOnce(requirement, check, { isAlone: false })
    if (!isPatient || first.early.length === 0) return first.judgement
    await turns.beAlone()
    // Others may have changed what it saw.
    const mayBeOfOthers = width > 1 || first.hasLetOthersRun || first.early.some((kind) => lags.of(kind) > 0)
    const { judgement, early } = mayBeOfOthers ? await judgeOnce(requirement, check) : first
    const kinds = new Set(early)
    const startedAt = Date.now()
    let latest = judgement
    for (const wait of lags.untried(early)) {
      let later = await judgeOnce(requirement, check, { tried: { kinds, wait } })
      // It may come further with each kind that it waits for.
      while (rankOf(later.judgement) <= rankOf(judgement) && later.early.some((kind) => !kinds.has(kind))) {
        for (const kind of later.early) kinds.add(kind)
        later = await judgeOnce(requirement, check, { tried: { kinds, wait } })
      }
      latest = later.judgement
      if (rankOf(latest) <= rankOf(judgement)) continue
      lags.learn(kinds, wait)
      const reason = later.judgement.result.reason ?? 'reads lag behind writes: kept when looked at a second later'
      return { ...later.judgement, result: { ...later.judgement.result, reason } }
    }
    lags.addFailed(kinds, Date.now() - startedAt)
    // The trial with the longest wait decides what the first look left open.
    return judgement.result.outcome === 'inconclusive' ? latest : judgement
  }

  async function judgeInTurn(requirement: PromiseEntry, check: Check, isLast: boolean) {
    await turns.take(isLast)
    try {
      if (isOver) return undefined
      const judgement = await judgePatiently(requirement, check)
      count(judgement.result)
      isOver = bail && (judgement.error !== undefined || judgement.result.faults.some(isFirm))
      return judgement
    } finally {
      turns.pass()
    }
  }

  /** Each read waits for the lag that the run has learned. A read of a kind in `slow` waits for the longest lag. */
  async function tell(story: Story, slow?: ReadonlySet<LagKind>) {
    const log = logs.begin(slow !== undefined)
    const waitOf = (kind: LagKind) => Math.max(lags.of(kind), slow?.has(kind) ? longestLag : 0)
    attempts.set(log, { waitOf, isAlone: true, endsAt: Infinity, hasLetOthersRun: false })
    await logs.run(log, () => story(storyTools(tools))).catch(endIfStopped)
    const exchanges: Exchanges = { ...log.summary(), ...(client.stopped ? { stopped: client.stopped } : {}) }
    return { exchanges, doubtful: log.doubtful }
  }

  /** How often each promise was judged. */
  const exercised = new Map<PromiseId, number>()

  function count(exchanges: Exchanges): void {
    for (const { promise, count } of exchanges.exercised) exercised.set(promise, (exercised.get(promise) ?? 0) + count)
  }

  const isJudged = (id: PromiseId) => !judgedByLaws.has(id) && (exercised.get(id) ?? 0) >= enough

  const shortened = new Set<string>()

  /** Shortens the first story of a fault. */
  async function shortenOnce(fault: Finding): Promise<Finding> {
    const name = nameOf(fault)
    if (!target.loopback || shortened.has(name) || shortened.size >= mostShortened) return fault
    shortened.add(name)
    const again = async (steps: readonly StoryStep[]) => {
      const { faults } = (await tell(storyFrom(steps), new Set())).exchanges
      return faults.find((one) => nameOf(one) === name)
    }
    return shorten(fault, again, mostRequestsToShorten)
  }

  /** Runs stories in parallel, after all checks. A story with a read of an older value runs again, with waits. */
  async function situate(stories: readonly Story[], about?: readonly PromiseId[]): Promise<Exchanges[]> {
    const seen: Exchanges[] = []
    const isEnough = () => client.stopped !== undefined || isOver || about?.every(isJudged) === true
    const add = async (exchanges: Exchanges) => {
      count(exchanges)
      isOver ||= bail && exchanges.faults.some(isFirm)
      const faults: Finding[] = []
      for (const fault of exchanges.faults) faults.push(await shortenOnce(fault))
      seen.push({ ...exchanges, faults })
    }
    const doubtful: { story: Story; kinds: ReadonlySet<LagKind> }[] = []
    const doubted = new Set<string>()
    await inParallel(stories, width, async (story) => {
      if (isEnough()) return
      const told = await tell(story)
      await add(told.exchanges)
      // One story for each promise and operation with an older value.
      if ([...told.doubtful.keys()].every((name) => doubted.has(name))) return
      for (const name of told.doubtful.keys()) doubted.add(name)
      doubtful.push({ story, kinds: new Set(told.doubtful.values()) })
    })
    // A list of all templates shows what other stories write.
    const isAlone = ({ kinds }: (typeof doubtful)[number]) => kinds.has('listTemplates')
    const again = async ({ story, kinds }: (typeof doubtful)[number]) => {
      if (!isEnough()) await add((await tell(story, kinds)).exchanges)
    }
    await inParallel(
      doubtful.filter((one) => !isAlone(one)),
      width,
      again,
    )
    await inParallel(doubtful.filter(isAlone), 1, again)
    return seen
  }

  return {
    client,
    /** Tells the stories, until each of the promises was judged often enough, and returns the exchanges of each. */
    situate: async (stories: readonly Story[], about?: readonly PromiseId[]): Promise<Exchanges[]> => {
      await turns.take(true)
      try {
        return isOver ? [] : await situate(stories, about)
      } finally {
        turns.pass()
      }
    },
    /** Returns `undefined` for a check that is not run, since another has failed. Results come in the order of the calls. */
    judge: (requirement: PromiseEntry, check: Check): Promise<Judgement | undefined> => {
      const place = isAboutLists(requirement) ? 'last' : 'others'
      const before = ended[place]
      const judgement = judgeInTurn(requirement, check, place === 'last')
      ended[place] = Promise.allSettled([before, judgement])
      return before.then(() => judgement)
    },
  }
}

const isFirm = ({ promise: id }: Finding) => promise(id).strength !== 'usual'

/** A list shows the templates of all checks. */
const isAboutLists = ({ operations }: PromiseEntry) => operations !== 'all' && operations.includes('listTemplates')

/** Each takes some requests. */
const mostShortened = 10
const mostRequestsToShorten = 30

const nameOf = ({ promise, operation, field = '' }: Finding) => [promise, operation, field].join(' ')

/** A run that has stopped sends no more requests. */
function endIfStopped(error: unknown): void {
  if (!(error instanceof NotAllowed)) throw error
}

/** A repetition that no longer finds the promise broken counts as better, even if its check cannot be completed. */
const rankOf = ({ result: { outcome } }: Judgement) =>
  ({ failed: 0, broken: 0, warned: 0, inconclusive: 1, skipped: 1, kept: 2 })[outcome]

/**
 * The kinds of requests that may have looked too early at a write. An answer that is not as documented is wrong at any time, and
 * so is an answer with a record of another team.
 */
function earlyIn({ id }: PromiseEntry, { result, isExcused }: Judgement, log: CheckLog): readonly LagKind[] {
  const { outcome, faults, stopped } = result
  if (outcome === 'kept' || outcome === 'skipped' || stopped || isExcused || faults.length > 0) return []
  const isOpen = outcome === 'inconclusive'
  if (isolation.includes(id) && !isOpen) return []
  return log.afterWrites.filter((kind) => kind !== 'write' || !isOpen)
}
