import { expect, it } from 'vitest'
import { startOwnTarget } from '../../cli/own-target.ts'
import { onTarget, withLedger } from '../../contracts/client/run.ts'
import { columns, requestsOfRuns, storiesOfAll } from '../../contracts/cost.ts'
import { runChecks } from '../../contracts/run.ts'
import { promise, promises } from '../../spec/promises.ts'
import type { Effect } from '../../spec/types.ts'
import { expectWithin } from '../budgets/budget.ts'
import { inTier, sampleOf } from '../tier.ts'

/** The requests of a whole run against a sandbox, with a share of the clean-up, and the promises that nothing showed. */
async function wholeRun(upTo: Effect) {
  const own = await startOwnTarget()
  const total = async () => {
    const text = await (await fetch(`${own.wanted.baseUrl}/_sandbox/metrics`)).text()
    const lines = text.matchAll(/^crm_sandbox_requests_total\{.*\} (\d+)$/gm)
    return [...lines].reduce((sum, [, count]) => sum + Number(count), 0)
  }
  try {
    const startTarget = async () => ({ ...own, wanted: { ...own.wanted, upTo }, stop: async () => undefined })
    const [run, before] = await onTarget({ startTarget, env: {} }, 'verify', async ({ target, ledgers }) => {
      const before = await total()
      const [run] = await withLedger(target, ledgers, ({ ledger }) =>
        runChecks(
          {
            ...{ target, marks: ledger.heading, ledger: ledger.path },
            ...{ selection: { only: [], operations: [] }, situations: { seed: 1, which: 'all' } },
          },
          { onResult: () => undefined },
        ),
      )
      return [run, before] as const
    })
    const requests = columns.map(() => 0)
    const add = (column: (typeof columns)[number], count: number) =>
      (requests[columns.indexOf(column)] = (requests[columns.indexOf(column)] ?? 0) + count)
    for (const { promise: id, requests: count } of run.results) add(promise(id).group, count)
    for (const { requests: count } of run.situations) add('situations', count)
    const factor = ((await total()) - before) / sumOf(requests)
    const exercised = [...run.results, ...run.situations].flatMap((one) => one.exercised.map(({ promise }) => promise))
    const kept = run.results.filter(({ outcome }) => outcome === 'kept').map(({ promise }) => promise)
    return {
      requests: requests.map((count) => Math.round(count * factor)),
      stories: run.situations.length,
      unseen: promises.map(({ id }) => id).filter((id) => !exercised.includes(id) && !kept.includes(id)),
    }
  } finally {
    await own.stop()
  }
}

/** The columns whose figure is too far away: a check that lags are waited for in sends its requests again. */
const staleIn = (known: readonly number[], measured: readonly number[]) =>
  [...columns, 'all'].filter((_, at) => {
    const [was, is] = at < columns.length ? [known[at] ?? 0, measured[at] ?? 0] : [sumOf(known), sumOf(measured)]
    return Math.abs(is - was) > Math.max(12, is / (at < columns.length ? 4 : 10))
  })

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0)

const others = ['read', 'write', 'platform'] as const

it.each<Effect>(['send', ...sampleOf(others, inTier({ test: 1, nightly: others.length }))])(
  'a whole run up to %s sends about as many requests as it says',
  async (upTo) => {
    const { requests, stories, unseen } = await wholeRun(upTo)
    const current = `The figures for contracts/cost.ts: ${stories} stories, and ${upTo}: [${requests.join(', ')}]`
    expect(staleIn(requestsOfRuns[upTo], requests), current).toEqual([])
    expect(stories, current).toBe(storiesOfAll)
    if (upTo !== 'send') return
    expect(unseen).toEqual(['error.serverErrorText'])
    expectWithin('requests of a whole run of verify', sumOf(requests), 3_330)
  },
)
