import fc from 'fast-check'
import { setTimeout as after } from 'node:timers/promises'
import { createSandbox, type Sandbox } from '../../../mock/create-sandbox.ts'
import { readProfile, type WrittenChoices } from '../../../spec/choices.ts'
import { operations } from '../../../spec/operations.ts'
import type { OperationId } from '../../../spec/types.ts'
import { operationIds } from '../requests.ts'
import { longestWait } from '../../longest-wait.ts'
import { twoTeams } from '../helpers.ts'
import { fitting, requestsOf, type Draft } from './requests.ts'
import { apiKinds as kinds, type ApiKind as Kind } from '../../../fixtures/records.ts'
import { assumption, assumptionNames, type AssumptionName } from '../../../spec/assumptions.ts'
import addFormats from 'ajv-formats'
import { document } from '../../../spec/document.ts'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { isObject } from '../../../lib/json.ts'

/** The answer to a request. */
interface Got {
  readonly status: number
  readonly contentType: string | null
  /** The assumptions that the answer relied on. */
  readonly assumed: string
  readonly text: string
  readonly milliseconds: number
}

/** The complaints about an answer. `got` is undefined when no answer came in time. */
function complaintsAbout(id: OperationId, json: string | undefined, got: Got | undefined): string[] {
  if (!got) return ['no answer in time']
  const { status, contentType, text } = got
  const assumed = got.assumed.split(', ')
  const { statuses, response } = operations[id]
  const body = parsed(text)
  const shape = response(status)
  const isSuccess = status < 400
  const offShape = isSuccess ? shape?.check(body) : shape?.faults(body)[0]?.sentence
  return [
    // `malformedId=serverError` answers 500, and says so; an internal error names no assumption.
    ...(status >= 500 && !assumed.includes('malformedId') ? ['a server error'] : []),
    ...(statuses.includes(status) ? [] : ['a status that is not documented']),
    ...(/^application\/json\b/.test(contentType ?? '') ? [] : ['an answer that is not JSON']),
    ...(offShape === undefined ? [] : [`an answer that is not as documented: ${offShape}`]),
    ...(isObject(body) && (body.success ?? isSuccess) !== isSuccess ? ['an envelope that contradicts the status'] : []),
    ...(isObject(body) && 'data' in body && shape?.listed(body).has('data') !== true
      ? ['data where none is shown']
      : []),
    ...(isSuccess && json !== undefined && !isDocumented(id, bodyOf(json, assumed), assumed)
      ? ['an invalid body that is accepted']
      : []),
  ]
}

/** The body without null and empty fields, if a choice ignores those. */
function bodyOf(json: string, assumed: readonly string[]): unknown {
  const body = parsed(withoutMark(json))
  if (!isObject(body) || !['nullField', 'emptyOptionalId', 'emptyOptionalField'].some((name) => assumed.includes(name)))
    return body
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== ''))
}

/** A parser may ignore a byte order mark (RFC 8259, section 8.1). */
const withoutMark = (json: string) => json.replace(/^\ufeff/, '')

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// An independent check: the published document and plain Ajv, without code of the project.

const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema(document, 'openapi')

const escaped = (key: string) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))

/** Whether a JSON body is as documented; where values are cast, only its types may differ. */
function isDocumented(id: OperationId, body: unknown, assumed: readonly string[]): boolean {
  const { path, method } = operations[id]
  const place = ['paths', path, method, 'requestBody', 'content', 'application/json', 'schema'].map(escaped)
  const validate = ajv.getSchema(`openapi#/${place.join('/')}`)
  if (!validate) throw new Error(`The document describes no body of ${id}`)
  if (validate(body) === true) return true
  return assumed.includes('wrongType') && validate.errors?.every(({ keyword }) => keyword === 'type') === true
}

export type Fetch = Sandbox['fetch']

interface FuzzRun {
  readonly requests: number
  readonly seed: number
  /** Wraps `fetch` so that the sandbox shows a bug. */
  readonly broken?: (fetch: Fetch) => Fetch
  readonly patience?: number
  readonly assume?: WrittenChoices
  /** Whether to compare the records before and after each refused request, which takes long in a long run. */
  readonly checksWorld?: boolean
}

interface Findings {
  readonly complaints: string[]
  readonly rarest: { readonly id: OperationId; readonly succeeded: number }
}

const enough = 5

/** Sends many requests. Returns the complaints about the answers, and the operation with the fewest successes. */
export async function fuzzRun({
  requests,
  seed,
  broken = (fetch) => fetch,
  patience = longestWait,
  assume = {},
  checksWorld = false,
}: FuzzRun): Promise<Findings> {
  await using sandbox = await createSandbox({ world: twoTeams, assume })
  const fetch = broken(sandbox.fetch)
  const pool = new Pool()
  const succeeded = new Map(operationIds.map((id) => [id, 0]))
  const complaints: string[] = []
  for (const [id, draft] of drafts(requests, seed)) {
    const { url, init, json } = asSent(id, draft, pool, sandbox.url)
    const before = checksWorld ? await recordsOf(sandbox) : ''
    const got = await answerTo(fetch, url, init, patience)
    if (checksWorld && got && got.status >= 400 && (await recordsOf(sandbox)) !== before)
      complaints.push(report('a refusal that changes records', id, url, init, got))
    for (const complaint of complaintsAbout(id, json, got)) complaints.push(report(complaint, id, url, init, got))
    if (complaints.length >= enough) break
    if (got?.status === 404) pool.forget(`${url.pathname} ${json ?? ''}`)
    if (!got || got.status >= 400) continue
    succeeded.set(id, (succeeded.get(id) ?? 0) + 1)
    const answer = JSON.parse(got.text) as Shown
    pool.learn(id, answer)
    if (operations[id].method === 'delete') pool.forget(url.pathname)
    const { _id, status } = answer.data ?? {}
    if (status === 'pending' && _id !== undefined && assume.whatsappApproval !== 'never')
      await sandbox.templates.approve(_id)
  }
  const [[id, least] = ['createContact', 0] as const] = [...succeeded].sort(([, one], [, other]) => one - other)
  return { complaints, rarest: { id, succeeded: least } }
}

/** Every record of the teams as text, without the answers that are kept for repeated keys. */
async function recordsOf(sandbox: Sandbox): Promise<string> {
  const { teams } = await sandbox.world()
  return JSON.stringify(teams.map((team) => ({ ...team, answers: undefined })))
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

function report(complaint: string, id: OperationId, url: URL, init: RequestInit, got: Got | undefined): string {
  const sent = `${id} ${url.pathname}${url.search} ${JSON.stringify(init)}`
  return `${complaint}\n  asked ${sent.slice(0, 600)}\n  got ${String(got?.status)} ${got?.text.slice(0, 300) ?? ''}`
}

/** The arguments of `fetch`, and the part of the body that is sent as JSON. */
export function asSent(id: OperationId, draft: Draft, pool: Pool, base: string) {
  const { method, path: documented } = operations[id]
  const path = pool.inPlace(draft.path)
  const query = pool.inPlace(draft.query)
  const segment = (_: string, name: string) => encodeURIComponent(wellFormed(path[name] ?? ''))
  const url = new URL(documented.replaceAll(/\{(\w+)\}/g, segment), base)
  for (const [name, values] of Object.entries(query)) {
    for (const value of [values].flat()) url.searchParams.append(name, String(value))
  }
  const body = draft.form ? formOf(pool.inPlace(draft.form)) : (draft.text ?? jsonOf(pool.inPlace(draft.body)))
  const isSent = method !== 'get' && body !== undefined
  const json = typeof body === 'string' && operations[id].contentTypes.length > 0 ? body : undefined
  const type = json === undefined ? {} : { 'content-type': 'application/json' }
  const init = { method: method.toUpperCase(), headers: { ...type, ...draft.headers }, ...(isSent ? { body } : {}) }
  return { url, init, json }
}

const jsonOf = (body: unknown) => (body === undefined ? undefined : JSON.stringify(body))

/** A URL cannot contain lone surrogates. */
const wellFormed = (text: string) => Buffer.from(text).toString()

function formOf(fields: Readonly<Record<string, unknown>>): FormData {
  const form = new FormData()
  for (const [name, values] of Object.entries(fields)) {
    for (const value of [values].flat()) {
      if (name === 'file') form.append(name, new Blob([String(value)]), 'picture.png')
      else form.append(name, typeof value === 'string' ? value : JSON.stringify(value))
    }
  }
  return form
}

/** The kind of the record in an answer. */
const kindShown: Partial<Record<OperationId, Kind>> = {
  createContact: 'contacts',
  createOrUpdateContact: 'contacts',
  findOrCreateConversation: 'conversations',
  createContactWithConversation: 'conversations',
  createConversation: 'conversations',
  sendLiveMessage: 'messages',
  sendEmailMessage: 'messages',
  sendMessage: 'messages',
  createTemplate: 'templates',
  createCompany: 'companies',
  createProduct: 'products',
  createDeal: 'deals',
  createQuote: 'quotes',
}

const idOf = new RegExp(`^@(${kinds.join('|')}) (\\d+)$`)
const nobody = '0123456789abcdef01234567'

/** The fields of an answer that hold ids for later requests. */
export interface Shown {
  readonly data?: {
    readonly _id?: string
    readonly status?: string
    readonly contactId?: { readonly _id?: string }
    readonly conversationId?: string
  }
}

/** The ids from answers that may still exist. */
export class Pool {
  readonly #ids = Object.fromEntries(kinds.map((kind) => [kind, [] as string[]])) as Record<Kind, string[]>

  learn(id: OperationId, { data }: Shown): void {
    const kind = kindShown[id]
    if (kind) this.#add(kind, data?._id)
    if (kind === 'conversations') this.#add('contacts', data?.contactId?._id)
    if (kind === 'messages') this.#add('conversations', data?.conversationId)
  }

  /** Drops every id in the text, because one of them is unknown and it does not matter which. */
  forget(text: string): void {
    const ids = new Set<string>(text.match(/[0-9a-f]{24}/g))
    for (const kind of kinds) this.#ids[kind] = this.#ids[kind].filter((id) => !ids.has(id))
  }

  /** The value with ids, providers and addresses for its symbolic names. */
  inPlace<Value>(value: Value): Value {
    if (value === undefined) return value
    return JSON.parse(JSON.stringify(value), (_, part) => (typeof part === 'string' ? this.#meant(part, value) : part))
  }

  #meant(text: string, whole: unknown): string {
    const [, kind, at] = idOf.exec(text) ?? []
    if (kind !== undefined) return this.#idAt(kind as Kind, Number(at))
    const { channel, templateType } = (whole ?? {}) as { channel?: unknown; templateType?: unknown }
    // Either may be anything, such as an object that cannot be written as text.
    const named = channel ?? templateType
    return (typeof named === 'string' ? fitting[text]?.[named] : undefined) ?? text
  }

  #idAt(kind: Kind, at: number): string {
    const ids = this.#ids[kind]
    return ids[at % ids.length] ?? nobody
  }

  #add(kind: Kind, id: unknown): void {
    if (typeof id === 'string' && !this.#ids[kind].includes(id)) this.#ids[kind].push(id)
  }
}

/** Random choices for every assumption, without choices that lead to undocumented answers. */
export function profiles(count: number, seed: number): WrittenChoices[] {
  const choices = assumptionNames.map((name) => [name, fc.constantFrom(...choicesOf(name))] as const)
  return fc
    .sample(fc.record(Object.fromEntries(choices)), { seed, numRuns: count })
    .map((profile) => readProfile({ ...profile, ...documented }))
}

/** Other choices answer 429, or repeat the answer of another operation. */
const documented: WrittenChoices = { rateLimit: 'none', keyScope: 'teamAndOperation' }

function choicesOf(name: AssumptionName): string[] {
  return Object.entries(assumption(name).choices).map(([choice, meaning]) =>
    typeof meaning === 'string' ? choice : `${choice}:${meaning.amount.usual}`,
  )
}
