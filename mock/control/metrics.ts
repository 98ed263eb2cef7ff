import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { Type } from 'typebox'
import { once } from '../../lib/async.ts'
import { version } from '../../lib/version.ts'
import { boundsOfTimes, type OperationCounts } from '../http/journal/journal.ts'
import { memoryUses } from '../store/retention.ts'
import type { ControlContext } from './context.ts'
import { noun, route } from './route.ts'
import { inTime } from './sandbox.ts'

/** A labelled value, such as `['{status="200"}', 7]`, or with a suffix of the name before the labels. */
type Sample = readonly [labels: string, value: number]

export const metrics = noun('metrics', 'Figures for operators.', (context) => {
  const { metricsOpen, stopping } = context
  // Measured from the first scrape on, so that a server without scrapes pays nothing.
  const eventLoop = once(() => {
    const delay = monitorEventLoopDelay()
    delay.enable()
    stopping.addEventListener('abort', () => delay.disable())
    return delay
  })
  return {
    getMetrics: route('GET /metrics', 'Get the metrics in the text format of Prometheus', {
      call: 'metrics',
      isOpen: metricsOpen,
      isLocal: true,
      description:
        'Needs the control token, unless the sandbox was started with `--metrics-open`. Figures of the store are left out while it does not answer.',
      type: 'text/plain; version=0.0.4; charset=utf-8',
      data: Type.String(),
      handler: async () => [...metricsOf(context, eventLoop(), await readStore(context))].join('\n') + '\n',
    }),
  }
})

/** Undefined when the store does not answer. */
const readStore = ({ store }: ControlContext) =>
  inTime(Promise.all([store.size(), store.nextDue()]).then(([size, due = Infinity]) => ({ ...size, due })))

function* metricsOf(
  { journal, memory, store, clock, stopping }: ControlContext,
  delay: IntervalHistogram,
  inStore: Awaited<ReturnType<typeof readStore>>,
): Generator<string> {
  yield* metric('info', 'gauge', 'The version.', [[`{version="${version}"}`, 1]])
  yield* metric(
    'ready',
    'gauge',
    'Whether it takes requests.',
    inStore && !stopping.aborted && !store.work?.().recent.areAllFailing ? 1 : 0,
  )
  const counts = [...journal.counts]
  yield* metric(
    'requests_total',
    'counter',
    'Responses to requests to the API.',
    counts.flatMap(([name, { ofStatus }]) =>
      [...ofStatus].map(([status, count]): Sample => [`{operation="${name}",status="${status}"}`, count]),
    ),
  )
  yield* metric('request_duration_seconds', 'histogram', 'How long they took.', counts.flatMap(histogramOf))
  yield* metric('journal_entries', 'gauge', 'Requests in the journal.', journal.size.entries)
  yield* metric('journal_bytes', 'gauge', 'Memory of the journal.', journal.size.bytes)
  yield* metric('kept_bytes', 'gauge', 'Memory of stored responses and of deleted records.', memory.used.kept)
  const ofUses = memoryUses.map((use): Sample => [`{use="${use}"}`, memory.used[use]])
  yield* metric('budget_used_bytes', 'gauge', 'What takes memory beside the records.', ofUses)
  yield* metric('budget_bytes', 'gauge', 'The most that it may take.', memory.most)
  const ofLoop = [50, 99, 100].map((percent): Sample => [`{percentile="${percent}"}`, delay.percentile(percent) / 1e9])
  delay.reset()
  yield* metric('event_loop_delay_seconds', 'gauge', 'Delay of the event loop since the last scrape.', ofLoop)
  yield* metric('memory_bytes', 'gauge', 'Resident memory of the process.', process.memoryUsage.rss())
  if (inStore) {
    yield* metric('teams', 'gauge', 'Teams.', inStore.teams)
    yield* metric('records', 'gauge', 'Records of all teams; in a database an estimate.', inStore.records)
    const lag = Math.max(0, clock.now() - inStore.due) / 1000
    yield* metric('due_work_lag_seconds', 'gauge', 'How late the earliest due work is.', lag)
  }
  const work = store.work?.()
  if (!work) return
  yield* metric('store_connections', 'gauge', 'Connections to the database.', [
    ['{state="idle"}', work.idleConnections],
    ['{state="busy"}', work.openConnections - work.idleConnections],
  ])
  yield* metric('store_waiting', 'gauge', 'Queries that wait for a connection.', work.waiting)
  const { succeeded, failed } = work.recent
  const share = failed / Math.max(1, succeeded + failed)
  yield* metric(
    'store_failures_ratio',
    'gauge',
    'Share of reads and changes of the last 30 seconds that failed.',
    share,
  )
  yield* metric('store_queued', 'gauge', 'Changes that wait for an earlier change of their team.', work.queued)
  yield* metric('store_round_trips_total', 'counter', 'Round trips to the database.', work.roundTrips)
  yield* metric('store_retries_total', 'counter', 'Statements repeated since an answer was lost.', work.retries)
  yield* metric('store_conflicts_total', 'counter', 'Attempts voided by another change of the team.', work.conflicts)
}

function metric(name: string, type: string, help: string, values: number | readonly Sample[]): string[] {
  const samples = typeof values === 'number' ? [['', values] as const] : values
  const fullName = `crm_sandbox_${name}`
  return [
    `# HELP ${fullName} ${help}`,
    `# TYPE ${fullName} ${type}`,
    ...samples.map(([labels, value]) => `${fullName}${labels} ${value}`),
  ]
}

/** Each bucket also counts the shorter times. */
function histogramOf([name, { ofTime, milliseconds }]: [string, OperationCounts]): Sample[] {
  let count = 0
  const buckets = [...ofTime].map((times, at): Sample => {
    const bound = boundsOfTimes[at]
    return [`_bucket{operation="${name}",le="${bound === undefined ? '+Inf' : bound / 1000}"}`, (count += times)]
  })
  return [...buckets, [`_sum{operation="${name}"}`, milliseconds / 1000], [`_count{operation="${name}"}`, count]]
}
