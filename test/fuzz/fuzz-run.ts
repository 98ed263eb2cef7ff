import { setTimeout as after } from 'node:timers/promises'
import fc from 'fast-check'
import { createSandbox, type Sandbox } from '../../mock/create-sandbox.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import { operations } from '../../spec/operations.ts'
import type { OperationId } from '../../spec/types.ts'
import { operationIds } from '../mock/asks.ts'
import { twoTeams } from '../mock/harness.ts'
import { asSent } from './as-sent.ts'
import { complaintsAbout, type Got } from './judge.ts'
import { Pool, type Shown } from './pool.ts'
import { type Draft, requestsOf } from './requests.ts'

export type Fetch = Sandbox['fetch']

interface FuzzRun {
  readonly requests: number
  readonly seed: number
  /** Wraps `fetch` so that the sandbox shows a bug. */
  readonly broken?: (fetch: Fetch) => Fetch
  readonly patience?: number
  readonly assume?: WrittenChoices
}

interface Findings {
  readonly complaints: string[]
  readonly rarest: { readonly id: OperationId; readonly succeeded: number }
}

const enough = 5

/** Sends many requests. Returns what was wrong with the answers, and which operation succeeded least often. */
export async function fuzzRun({
  requests,
  seed,
  broken = (fetch) => fetch,
  patience = 20_000,
  assume = {},
}: FuzzRun): Promise<Findings> {
  await using sandbox = await createSandbox({ world: twoTeams, assume })
  const fetch = broken(sandbox.fetch)
  const pool = new Pool()
  const succeeded = new Map(operationIds.map((id) => [id, 0]))
  const complaints: string[] = []
  for (const [id, draft] of drafts(requests, seed)) {
    const { url, init, json } = asSent(id, draft, pool, sandbox.url)
    const got = await answerTo(fetch, url, init, patience)
    for (const complaint of complaintsAbout(id, json, got)) complaints.push(report(complaint, id, url, init, got))
    if (complaints.length >= enough) break
    if (got?.status === 404) pool.forget(`${url.pathname} ${json ?? ''}`)
    if (!got || got.status >= 400) continue
    succeeded.set(id, (succeeded.get(id) ?? 0) + 1)
    const answer = JSON.parse(got.text) as Shown
    pool.learn(id, answer)
    if (operations[id].method === 'delete') pool.forget(url.pathname)
    const { _id, status } = answer.data ?? {}
    if (status === 'pending' && _id !== undefined) await approve(sandbox, _id)
  }
  const [[id, least] = ['createContact', 0] as const] = [...succeeded].sort(([, one], [, other]) => one - other)
  return { complaints, rarest: { id, succeeded: least } }
}

/** Requests of all operations in turn, with deletes half as often. */
function* drafts(requests: number, seed: number): Generator<[OperationId, Draft]> {
  const round = [...operationIds, ...operationIds.filter((id) => operations[id].method !== 'delete')]
  const each = Math.ceil((2 * requests) / round.length)
  const thoughtUp = new Map(
    operationIds.map((id, at) => [id, fc.sample(requestsOf(id), { seed: seed + at, numRuns: each })]),
  )
  for (let at = 0; at < requests; at++) {
    const id = round[at % round.length] ?? 'createContact'
    const draft = thoughtUp.get(id)?.pop()
    if (draft) yield [id, draft]
  }
}

async function answerTo(fetch: Fetch, url: URL, init: RequestInit, patience: number): Promise<Got | undefined> {
  const start = performance.now()
  const asked = fetch(url, init).then(async (answer) => ({
    status: answer.status,
    contentType: answer.headers.get('content-type'),
    assumed: answer.headers.get('x-sandbox-assumed') ?? '',
    text: await answer.text(),
    milliseconds: performance.now() - start,
  }))
  const stop = new AbortController()
  const timeUp = after(patience, undefined, { signal: stop.signal }).catch(() => undefined)
  const got = await Promise.race([asked, timeUp])
  stop.abort()
  return got && got.milliseconds <= patience ? got : undefined
}

async function approve(sandbox: Sandbox, templateId: string): Promise<void> {
  await sandbox.fetch(`/_sandbox/templates/${templateId}/approve`, { method: 'POST' })
}

function report(complaint: string, id: OperationId, url: URL, init: RequestInit, got: Got | undefined): string {
  const sent = `${id} ${url.pathname}${url.search} ${JSON.stringify(init)}`
  return `${complaint}\n  asked ${sent.slice(0, 600)}\n  got ${String(got?.status)} ${got?.text.slice(0, 300) ?? ''}`
}
