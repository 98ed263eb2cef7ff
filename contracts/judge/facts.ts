import { operations } from '../../spec/operations.ts'
import { promise } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import { type Answer, type Fields, fieldsOf, idOf, withIds } from '../client/answer.ts'
import { type CreatedKind, kindNames, kinds, type OwnedKind } from '../client/kinds.ts'
import { isSame } from './laws/same-value.ts'
import type { ParsedRequest } from './parse-request.ts'
import { Taken } from './taken.ts'

/** A value of a field, as an answer showed it or a request sent it. */
export interface Fact {
  readonly value: unknown
  /** A server may show a value that was sent in another form. */
  readonly isSent: boolean
  /** The number of the exchange that was the first to show or send it. */
  readonly since: number
  /** When its answer came, in milliseconds. */
  readonly at: number
}

/** The facts about a record. */
export interface KnownRecord {
  readonly kind: OwnedKind
  readonly id: string
  readonly caller: string
  /** With which credential of the team. */
  readonly role: string | undefined
  /** The credentials that it was made, read or changed with: a server may hide a template from an agent. */
  readonly foundBy: Set<string | undefined>
  /** The number of the exchange that created it; `undefined` for a record that an answer only showed. */
  readonly madeBy: number | undefined
  /** When the first request about it was sent, in milliseconds. */
  readonly at: number
  readonly fields: Map<string, Fact>
  /** Values that it had before, which a read that lags may still show. */
  readonly earlier: Map<string, readonly unknown[]>
  /** The exchange that deleted it. */
  deletedBy?: number
  deletedAt?: number
  /** The number of writes to it that are in flight, and of those that began so far. */
  writing: number
  begun: number
  /** When two writes to it were last in flight together, and when the last one was answered. */
  overlapped: number
  changed: number
  /** A write to it had no clear answer, or another client may have written to it. */
  isUnclear: boolean
}

/** A message that a send returned. */
export interface SentMessage {
  readonly id: string
  readonly conversationId: string
  readonly fields: Fields
  readonly sent: Fields
  readonly since: number
  readonly ended: number
}

/** The first request with a key. */
interface FirstWithKey {
  readonly url: string
  readonly text: string
  readonly at: number
  id?: string
  isAnswered: boolean
  /** The key came again before the answer, so that the server may have taken either request for the first. */
  isDoubled: boolean
  /** The data of its answer. */
  data?: Fields
  ended?: number
}

/** A request in flight. */
export interface Open {
  readonly request: ParsedRequest
  readonly began: number
  readonly repeatsKey: boolean
  /** The records that it may change, with the number of writes to each that had begun. */
  readonly touched: readonly (readonly [KnownRecord, number])[]
}

/** Beyond this number the oldest are discarded, so that memory is bounded. */
const mostRecords = 20_000
const mostEarlier = 8

/** The facts that the exchanges of a run, or of the traffic of other clients, have established. */
export class Facts {
  /** The values that the server accepted. */
  readonly taken = new Taken()
  readonly #records = new Map<string, KnownRecord>()
  readonly #conversations = new Map<string, { readonly id: string; readonly since: number }>()
  readonly #contacts = new Map<string, string>()
  readonly #messages = new Map<string, SentMessage>()
  readonly #byConversation = new Map<string, SentMessage[]>()
  readonly #byAddress = new Map<string, Set<KnownRecord>>()
  /** Addresses at which a request may have made a contact that no answer showed. */
  readonly #shared = new Set<string>()
  /** The contact of this traffic that each address led to first, as it was sent. */
  readonly #led = new Map<string, string>()
  readonly #keys = new Map<string, FirstWithKey>()
  readonly #written = new Set<string>()
  /** The fields that updates showed although the request did not name them. */
  readonly #besides = new Set<string>()
  /** The writes of each group in flight, and when the last one ended. */
  readonly #writes = new Map<string, { open: number; changed: number }>()
  /** Requests and answers are numbered together, so that it is known which came first. */
  #now = 0

  record(kind: OwnedKind, id: unknown): KnownRecord | undefined {
    return typeof id === 'string' ? this.#records.get(`${kind} ${id}`) : undefined
  }

  /** The conversation of a contact. */
  conversationOf(contactId: string) {
    return this.#conversations.get(contactId)
  }

  /** The id of the contact of a conversation. */
  contactOf(conversationId: string): string | undefined {
    return this.#contacts.get(conversationId)
  }

  message(id: string): SentMessage | undefined {
    return this.#messages.get(id)
  }

  /** Whether only one request sent this text. */
  isSentOnce(text: unknown): boolean {
    return this.taken.timesSent(text) === 1
  }

  messagesIn(conversationId: string): readonly SentMessage[] {
    return this.#byConversation.get(conversationId) ?? []
  }

  /** Whether this traffic made a record, and nothing else can have changed it while this exchange went on. */
  isSettled(record: KnownRecord | undefined, open: Open): record is KnownRecord {
    if (record?.madeBy === undefined || record.isUnclear) return false
    const isTouched = open.touched.some(([touched]) => touched === record)
    return isTouched ? this.isAlone(open) : record.writing === 0 && record.changed < open.began
  }

  /** Whether no write to a record of this group was in flight while this read was. */
  isQuiet(group: string, { began }: Open): boolean {
    const { open = 0, changed = 0 } = this.#writes.get(group) ?? {}
    return open === 0 && changed < began
  }

  /** The records of a kind that this traffic created with the credential, or for an admin with any, and did not delete. */
  *living(kind: OwnedKind, open: Open): Generator<KnownRecord> {
    const { caller, role } = open.request
    for (const record of this.#records.values())
      if (
        record.kind === kind &&
        record.caller === caller &&
        (record.role === role || role === 'admin') &&
        record.deletedBy === undefined &&
        this.isSettled(record, open)
      )
        yield record
  }

  /** The contacts of a caller's team that have this address, written in any form; `undefined` if that is unclear. */
  contactsAt(caller: string, address: unknown, open?: Open): readonly KnownRecord[] | undefined {
    if (typeof address !== 'string') return undefined
    const known = [...(this.#byAddress.get(`${caller} ${formOf(address)}`) ?? [])]
    const isBusy = (record: KnownRecord) =>
      open?.touched.some(([touched]) => touched === record) === true ? !this.isAlone(open) : record.writing > 0
    const mayHaveOthers = open !== undefined && this.#shared.has(`${caller} ${formOf(address)}`)
    return mayHaveOthers || known.some((record) => record.isUnclear || isBusy(record))
      ? undefined
      : known.filter(({ deletedBy }) => deletedBy === undefined)
  }

  /** Whether updates show this field beside those that they change. */
  showsBesides(operation: OperationId, field: string): boolean {
    return this.#besides.has(`${operation} ${field}`)
  }

  /** The id of the contact of this traffic that the address, in this spelling, led to first. */
  firstAt(caller: string, address: unknown): string | undefined {
    return this.#led.get(`${caller} ${String(address)}`)
  }

  /** Whether a request so far sent this address. */
  isUsed(address: string): boolean {
    return this.#written.has(formOf(address))
  }

  /** The answer to the first request with the key of this one. */
  firstWithKey(request: ParsedRequest) {
    const name = keyOf(request)
    return name === undefined ? undefined : this.#keys.get(name)
  }

  begin(request: ParsedRequest): Open {
    const name = keyOf(request)
    const repeatsKey = name !== undefined && this.#keys.has(name)
    const touched = request.method === 'GET' ? [] : this.#touchedBy(request)
    const open = {
      request,
      began: ++this.#now,
      repeatsKey,
      touched: touched.map((record) => [record, ++record.begun] as const),
    }
    for (const record of touched) record.writing++
    const first = name === undefined ? undefined : this.#keys.get(name)
    if (first && !first.isAnswered) first.isDoubled = true
    this.taken.begin(request)
    if (request.method !== 'GET') this.#writesOf(request).open++
    if (name !== undefined && !repeatsKey) {
      const text = request.bytes?.toString() ?? ''
      makeRoom(this.#keys)
      this.#keys.set(name, { url: request.url, text, at: request.at, isAnswered: false, isDoubled: false })
    }
    return open
  }

  /** Returns the number of the answer, before its effect is added. */
  answered(): number {
    return ++this.#now
  }

  /** Whether the answer may be that to another request with the same key. */
  repeatsKey(open: Open): boolean {
    return open.repeatsKey || this.firstWithKey(open.request)?.isDoubled === true
  }

  /** Adds the effect of a request and what its answer shows. */
  end(open: Open, answer: Answer, ended: number): void {
    const { request, touched } = open
    const repeatsKey = this.repeatsKey(open)
    const first = this.firstWithKey(request)
    if (first) first.isAnswered = true
    const wasAlone = this.#settle(open)
    const isRefused = answer.status >= 400 && answer.status < 500
    // A server error may have changed anything, and overlapping writes come in an unknown order.
    if (!isRefused && (!answer.succeeded || !wasAlone || isUnread(request)))
      for (const [record] of touched) makeUnclear(record)
    for (const address of addressesOf(request)) this.#written.add(formOf(address))
    if (repeatsKey || answer.status >= 500 || request.operation === 'sendBulkMessages') this.#share(request)
    if (!answer.succeeded || !request.isAuthenticated) return
    if (!repeatsKey && !request.complaint && !isUnread(request)) this.taken.add(request)
    const id = idOf(answer.fields.data)
    if (first && id !== undefined) {
      first.id ??= id
      first.data ??= withIds(fieldsOf(answer.fields.data))
      first.ended ??= ended
    }
    if (repeatsKey) {
      // A server may carry it out again.
      for (const [record] of touched)
        for (const field of Object.keys(fieldsOf(request.body))) record.fields.delete(field)
      return
    }
    this.#learn(request, answer, { began: open.began, ended, wasAlone })
  }

  /** A request had no answer: what it did is unknown. */
  lose(open: Open): void {
    this.#settle(open)
    for (const [record] of open.touched) makeUnclear(record)
    for (const address of addressesOf(open.request)) this.#written.add(formOf(address))
    this.#share(open.request)
  }

  /** An update makes no contact. */
  #share(request: ParsedRequest): void {
    if (request.method === 'PUT') return
    for (const address of addressesOf(request)) this.#shared.add(`${request.caller} ${formOf(address)}`)
  }

  /** For a request that may have changed any record. */
  forget(): void {
    for (const map of [
      this.#records,
      this.#conversations,
      this.#contacts,
      this.#messages,
      this.#byConversation,
      this.#byAddress,
      this.#led,
      this.#keys,
    ])
      map.clear()
  }

  /** Whether no other write to the same records was in flight, while this one was. */
  isAlone({ request, touched, began }: Open): boolean {
    if (request.method === 'GET') return true
    return touched.every(
      ([record, begun]) => record.writing === 1 && record.begun === begun && record.overlapped < began,
    )
  }

  #writesOf({ operation }: ParsedRequest) {
    const { group } = operations[operation]
    const known = this.#writes.get(group) ?? { open: 0, changed: 0 }
    this.#writes.set(group, known)
    return known
  }

  #settle(open: Open): boolean {
    const wasAlone = this.isAlone(open)
    if (open.request.method !== 'GET') {
      const writes = this.#writesOf(open.request)
      writes.open--
      writes.changed = this.#now
    }
    for (const [record] of open.touched) {
      record.writing--
      record.changed = this.#now
      if (!wasAlone) record.overlapped = this.#now
    }
    return wasAlone
  }

  /** The known records that a write may change. */
  #touchedBy({ operation, path, body, query, caller }: ParsedRequest): KnownRecord[] {
    const kind = kindNames.find((one) => path[`${one}Id`] !== undefined)
    const named = kind && this.record(kind, path[`${kind}Id`])
    const addresses = operation === 'deleteContactsByEmail' ? [String(query.email)] : addressesOf({ body })
    const found =
      operations[operation].method === 'put'
        ? []
        : addresses.flatMap((address) => [...(this.#byAddress.get(`${caller} ${formOf(address)}`) ?? [])])
    const { contactId, recipientId } = fieldsOf(body)
    const receiver =
      operations[operation].effect === 'send' ? this.record('contact', contactId ?? recipientId) : undefined
    return [...new Set([named, receiver, ...found].filter((record) => record !== undefined))]
  }

  #learn(request: ParsedRequest, answer: Answer, when: When): void {
    const { operation, path, query, caller } = request
    const { data } = answer.fields
    const { method, effect, group } = operations[operation]
    if (operation === 'deleteContactsByEmail') {
      // A server may ignore the capitals of an address, or not.
      for (const record of this.contactsAt(caller, String(query.email)) ?? [])
        if (record.fields.get('email')?.value === query.email) this.#delete(record, when, request.at)
        else makeUnclear(record)
    } else if (method === 'delete') {
      const kind = kindNames.find((one) => path[`${one}Id`] !== undefined)
      const record = kind && this.record(kind, path[`${kind}Id`])
      // A server may answer as if it had deleted a record that is not there for this team.
      if (record?.caller === caller) this.#delete(record, when, request.at)
    } else if (operation === 'listMessages' || operation === 'listTemplates' || operation === 'sendBulkMessages') {
      return
    } else if (effect === 'send') {
      this.#learnMessage(request, fieldsOf(data), when)
    } else if (group === 'conversations' || operation === 'createContactWithConversation') {
      for (const one of [data].flat().map(fieldsOf)) this.#learnConversation(request, one, when)
    } else {
      this.#learnRecord(request, fieldsOf(data), when)
    }
  }

  #learnRecord(request: ParsedRequest, data: Fields, when: When): void {
    const { operation, path, body, at } = request
    const { method } = operations[operation]
    const kind = kindOf(operation)
    const id = idOf(data) ?? path[`${kind}Id`]
    if (id === undefined) return
    const isCreated = operation === kinds[kind].createdBy
    const known = this.record(kind, id)
    known?.foundBy.add(request.role)
    // A read that lags shows an older record.
    if (method === 'get' && known?.madeBy !== undefined) return
    const record = known ?? this.#add(kind, id, request, isCreated ? when : undefined)
    if (!when.wasAlone) return
    const shown = withIds(data)
    const sent = fieldsOf(body)
    for (const field of factsOf[kind]) {
      const isShown = shown[field] !== undefined && shown[field] !== null
      if (isShown && method === 'put' && sent[field] === undefined && Object.keys(sent).length > 0)
        this.#besides.add(`${operation} ${field}`)
      if (isShown) this.#set(record, field, { value: shown[field], isSent: false, since: when.ended, at })
      else if (sent[field] === undefined) {
        // An upsert may clear what it does not name.
        if (method === 'post') record.fields.delete(field)
      }
      // A server may take a value of a wrong type as one of another.
      else if (request.complaint) record.fields.delete(field)
      else if (!(field === 'uniqueName' && this.#isTaken(record, sent[field])))
        this.#set(record, field, { value: sent[field], isSent: true, since: when.ended, at })
    }
    // An upsert of an unknown contact may have found one that others made.
    if (isCreated || operation === kinds[kind].shownBy) record.isUnclear = false
  }

  /** Whether another record has this unique name: a server may then add a number to it. */
  #isTaken(record: KnownRecord, uniqueName: unknown): boolean {
    const isOther = (other: KnownRecord) => other !== record && other.fields.get('uniqueName')?.value === uniqueName
    return [...this.#records.values()].some(isOther)
  }

  #learnConversation(request: ParsedRequest, data: Fields, when: When): void {
    const [id, contactId] = [idOf(data), idOf(data.contactId)]
    if (id === undefined || contactId === undefined) return
    const isWrite = request.method !== 'GET'
    const contact = this.record('contact', contactId)
    if (isWrite && !contact && this.#isNewAddress(request)) {
      const made = this.#add('contact', contactId, request, when)
      const { firstName, lastName, lifecycleStage, email, phone } = fieldsOf(request.body)
      const sent = { firstName, lastName, lifecycleStage, email, phone }
      for (const address of addressesOf(request)) this.#lead(request, address, contactId)
      for (const [field, value] of Object.entries(sent))
        if (value !== undefined) this.#set(made, field, { value, isSent: true, since: when.ended, at: request.at })
    } else if (isWrite && !contact) this.#share(request)
    else if (isWrite && contact && operations[request.operation].id !== 'createConversation') {
      // A server may complete the contact that it found.
      for (const field of [...contact.fields.keys()])
        if (field !== 'email' && field !== 'phone') contact.fields.delete(field)
      const own = ['email', 'phone'].map((field) => formOf(contact.fields.get(field)?.value))
      if (!addressesOf(request).every((address) => own.includes(formOf(address)))) this.#share(request)
    }
    this.#open(contactId, id, when)
    if (!this.record('conversation', id)) this.#add('conversation', id, request, isWrite ? when : undefined)
  }

  #learnMessage(request: ParsedRequest, data: Fields, when: When): void {
    const { contactId, conversationId } = data
    const id = idOf(data)
    if (id === undefined || typeof conversationId !== 'string' || typeof contactId !== 'string') return
    const contact = this.record('contact', contactId)
    // A message may move the status of its contact.
    for (const field of ['status', 'lifecycleStage']) contact?.fields.delete(field)
    if (!contact && this.#isNewAddress(request)) {
      const made = this.#add('contact', contactId, request, when)
      const { to } = fieldsOf(request.body)
      this.#lead(request, to, contactId)
      const field = String(to).includes('@') ? 'email' : 'phone'
      this.#set(made, field, { value: to, isSent: true, since: when.ended, at: request.at })
    } else if (!contact) this.#share(request)
    this.#open(contactId, conversationId, when)
    if (!this.record('conversation', conversationId)) this.#add('conversation', conversationId, request, when)
    const sent = fieldsOf(request.body)
    const message = { id, conversationId, fields: data, sent, since: when.ended, ended: when.ended }
    makeRoom(this.#messages)
    this.#messages.set(id, message)
    this.#byConversation.set(conversationId, [...this.messagesIn(conversationId), message])
  }

  /** Whether no earlier request sent an address of this one, so that its contact is new. */
  #isNewAddress(request: ParsedRequest): boolean {
    const addresses = addressesOf(request)
    return addresses.length > 0 && addresses.every((address) => this.contactsAt(request.caller, address)?.length === 0)
  }

  #lead({ caller }: ParsedRequest, address: unknown, contactId: string): void {
    makeRoom(this.#led)
    this.#led.set(`${caller} ${String(address)}`, contactId)
  }

  #open(contactId: string, id: string, { ended }: When): void {
    makeRoom(this.#conversations)
    makeRoom(this.#contacts)
    if (!this.#contacts.has(id)) this.#contacts.set(id, contactId)
    if (this.#conversations.get(contactId)?.id !== id) this.#conversations.set(contactId, { id, since: ended })
  }

  #add(kind: OwnedKind, id: string, { caller, role, at }: ParsedRequest, when: When | undefined): KnownRecord {
    makeRoom(this.#records)
    const counts = { writing: 0, begun: 0, overlapped: 0, changed: 0, isUnclear: false }
    const known = { fields: new Map(), earlier: new Map(), foundBy: new Set([role]) }
    const record = { kind, id, caller, role, at, madeBy: when?.ended, ...known, ...counts }
    this.#records.set(`${kind} ${id}`, record)
    return record
  }

  #set(record: KnownRecord, field: string, fact: Fact): void {
    const before = record.fields.get(field)
    const isNew = before === undefined || !isSame(field, before.value, fact.value)
    if (before && isNew) {
      const earlier = [before.value, ...(record.earlier.get(field) ?? [])].slice(0, mostEarlier)
      record.earlier.set(field, earlier)
    }
    record.fields.set(field, isNew ? fact : { ...fact, since: before.since })
    if (record.kind !== 'contact' || (field !== 'email' && field !== 'phone')) return
    if (before) this.#byAddress.get(`${record.caller} ${formOf(before.value)}`)?.delete(record)
    const name = `${record.caller} ${formOf(fact.value)}`
    makeRoom(this.#byAddress)
    this.#byAddress.set(name, (this.#byAddress.get(name) ?? new Set()).add(record))
  }

  #delete(record: KnownRecord, { ended }: When, at: number): void {
    record.deletedBy = ended
    record.deletedAt = at
    if (record.kind === 'contact') this.#conversations.delete(record.id)
    if (record.kind !== 'deal') return
    // The data that is deleted with a deal is not listed.
    for (const quote of this.#records.values())
      if (quote.kind === 'quote' && quote.fields.get('dealId')?.value === record.id) makeUnclear(quote)
  }
}

/** When an exchange began and ended, and whether no other write to its records was in flight. */
interface When {
  readonly began: number
  readonly ended: number
  readonly wasAlone: boolean
}

/** The kind of record that an operation on one record makes, changes or shows. */
const kindOf = (operation: OperationId): CreatedKind =>
  kindNames.find((kind) => kinds[kind].createdBy === operation || operations[operation].path.includes(`{${kind}Id}`)) ??
  'contact'

/** Of a form, only the server knows the fields. */
const isUnread = ({ operation, body, method }: ParsedRequest) =>
  method !== 'DELETE' && operations[operation].contentTypes.length > 0 && body === undefined

function makeUnclear(record: KnownRecord): void {
  record.isUnclear = true
  record.fields.clear()
}

const listed = (kind: 'company' | 'product' | 'deal' | 'quote'): readonly string[] =>
  promise(`${kind}.createShowsTheRecord`).fields.filter((field) => field !== '_id' && field !== 'status')

/** The fields that are documented in the answers of each kind. The status of a template or a quote may move by itself. */
export const factsOf: Readonly<Record<CreatedKind, readonly string[]>> = {
  contact: [...promise('contact.createShowsWhatWasGiven').fields, 'company', 'createdAt'],
  template: ['templateType', 'name', 'uniqueName', 'content', 'language', 'subject', 'category'],
  company: listed('company'),
  product: listed('product'),
  deal: listed('deal'),
  quote: listed('quote'),
}

const keyOf = ({ caller, headers }: ParsedRequest) => {
  const key = headers['idempotency-key']
  return key === undefined ? undefined : JSON.stringify([caller, key])
}

/** The addresses in a body. */
function addressesOf({ body }: Pick<ParsedRequest, 'body'>): string[] {
  const { email, phone, to } = fieldsOf(body)
  return [email, phone, to]
    .filter((text) => typeof text === 'string')
    .flatMap((text) => text.split(',').map((one) => one.trim()))
    .filter((text) => text !== '')
}

/** A server may ignore the capitals of an e-mail address and the signs in a phone number. */
const formOf = (address: unknown) =>
  String(address).includes('@') ? String(address).trim().toLowerCase() : String(address).replaceAll(/\D/g, '')

/** Discards the oldest, so that memory is bounded. */
function makeRoom(known: Map<string, unknown>): void {
  if (known.size < mostRecords) return
  for (const [name] of known) {
    known.delete(name)
    break
  }
}
