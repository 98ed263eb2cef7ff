import { type Fields, fieldsOf, idOf } from '../client/answer.ts'
import { kindNames, kinds, pathTo, readOf } from '../client/kinds.ts'
import type { Input } from '../client/request.ts'
import { singleSends } from '../../spec/operation-groups.ts'
import { operations } from '../../spec/operations.ts'
import { promiseOfFault } from '../../spec/promise-of-a-fault.ts'
import type { OperationId } from '../../spec/types.ts'
import type { Story, StoryTools } from '../judge/story.ts'

// Each request in several shapes, with one thing wrong: a field missing, one that is not listed, or a value outside of its list.

type Shapes = (tools: StoryTools, place: Place) => readonly object[]

interface Place {
  readonly contactId: string
  readonly conversationId: string
  readonly dealId: string
}

const picture = 'https://files.example.com/plan.png'
const targets = ({ contactId, conversationId }: Place, to: string) => [
  { conversationId },
  { to },
  { contactId },
  { recipientId: contactId },
]
const attachments = [{ mediaUrl: picture, mediaType: 'image' as const }]
const sources = [{}, { source: 'Contract', attachments }]

/** All pairs; the first of them, with which each fault is tried, differ in both. */
const paired = <Row, Column, Shape>(
  rows: readonly Row[],
  columns: readonly Column[],
  make: (row: Row, column: Column) => Shape,
) => columns.flatMap((_, round) => rows.map((row, at) => make(row, columns[(at + round) % columns.length] as Column)))

const shapesOf: Readonly<Partial<Record<OperationId, Shapes>>> = {
  findOrCreateConversation: ({ mint }) => [
    { email: mint.email() },
    { phone: mint.phone() },
    { email: mint.email(), phone: mint.phone() },
  ],
  createContactWithConversation: ({ mint, target }) => [
    { firstName: 'Ada', lastName: mint.surname('King'), email: mint.email(), phone: mint.phone() },
    { firstName: 'Ada', lastName: mint.surname('King'), phone: mint.phone(), lifecycleStage: 'Ads' },
    {
      ...{ firstName: 'Ada', lastName: mint.surname('King'), email: mint.email() },
      ...{ lifecycleStage: 'Ads', groupId: target.places.group },
    },
  ],
  createConversation: (_, { contactId }) => [{ contactId }],
  sendLiveMessage: ({ some, recipient }, place) =>
    paired(targets(place, recipient.phone()), sources, (to, source) => ({ ...some.chat(to), ...source })),
  sendEmailMessage: ({ some, recipient }, { contactId, conversationId }) =>
    paired(
      [{ to: recipient.email() }, { conversationId, recipientIds: [contactId] }, { recipientIds: [contactId] }],
      [{}, { source: 'Contract', threadId: 'thread-1', attachments }],
      (to, others) => ({ ...some.email(to), ...others }),
    ),
  sendMessage: ({ some, recipient, target: { places } }, place) =>
    paired(targets(place, recipient.phone()), ['sms', 'whatsapp'] as const, (to, channel) => ({
      ...some.text({ channel }),
      ...(channel === 'whatsapp' && places.template !== undefined ? { templateId: places.template } : {}),
      ...to,
    })),
  sendBulkMessages: ({ some }) =>
    paired(
      [
        { scheduleType: 'scheduled' as const, scheduleTime: { date: '2099-12-31', time: '10:00' } },
        { scheduleType: 'now' as const },
        {},
        { source: 'Contract', mediaUrl: picture, mediaType: 'image' },
      ],
      ['email', 'sms', 'whatsapp'] as const,
      (fields, channel) =>
        some.bulk(channel, { ...fields, ...(channel === 'email' && { preheader: 'Also on Sundays' }) }),
    ),
  createTemplate: ({ some }) => [
    ...[{}, { variables: ['name'] }].flatMap((fields) =>
      (['sms', 'email', 'whatsapp'] as const).map((type) => some.template[type](fields)),
    ),
    some.template.whatsapp({ isHeader: true, headerType: 'text', headerText: 'Hello', footer: 'Bye' }),
  ],
  createContact: ({ some, target }) => [
    some.contact(),
    { ...some.contact(), status: 'open', lifecycleStage: 'Ads' },
    { ...some.contact(), groupIds: [target.places.group] },
  ],
  createOrUpdateContact: ({ some }) => [
    some.upsert(),
    { ...some.upsert(), status: 'open' },
    { ...some.upsert(), lifecycleStage: 'Ads' },
  ],
  createCompany: ({ some }) => [some.company(), { ...some.company(), industry: 'Machinery', employeeCount: 12 }],
  createProduct: ({ some }) => [
    some.product(),
    { ...some.product(), billingFrequency: 'monthly' },
    { ...some.product(), description: 'Computes' },
  ],
  createDeal: ({ some }) => [some.deal(), { ...some.deal(), closeDate: '2099-06-30' }],
  createQuote: ({ some }, { dealId }) => [some.quote(dealId), { dealId }],
  updateTemplate: ({ mint }) =>
    [{ name: mint.name('May') }, { category: 'UTILITY', language: 'en' }].flatMap((fields) =>
      (['sms', 'email', 'whatsapp'] as const).map((templateType) => ({ templateType, ...fields })),
    ),
  updateContact: ({ mint }) => [
    { source: mint.name('x') },
    { status: 'open', firstName: 'Ada' },
    { email: mint.email(), additionalFields: { tier: 'gold' } },
  ],
  updateCompany: ({ mint }) => [{ name: mint.name('Mill') }, { industry: 'Machinery', employeeCount: 3 }],
  updateProduct: ({ mint }) => [{ name: mint.name('Mill') }, { unitPrice: 3.25, billingFrequency: 'monthly' }],
  updateDeal: ({ mint }) => [{ name: mint.name('Mill') }, { amount: 3.25, currency: 'EUR' }],
  updateQuote: ({ mint }) => [
    { name: mint.name('Mill') },
    { status: 'draft', signatureOption: 'no-signature', acceptOnlinePayment: false },
  ],
}

/** A story for the operations of each group, of those with a body that can be invalid. */
export function refusalStories(isAsked: (operation: OperationId) => boolean): readonly Story[] {
  const asked = (Object.keys(shapesOf) as OperationId[]).filter(isAsked)
  const groups = new Set(asked.map((id) => operations[id].group))
  return [...groups].map((group) => refusalStory(asked.filter((id) => operations[id].group === group)))
}

const refusalStory =
  (about: readonly OperationId[]): Story =>
  async (tools) => {
    const { attempt, some } = tools
    const opened = await attempt('findOrCreateConversation', {
      body: { email: tools.recipient.email(), phone: tools.recipient.phone() },
    })
    const conversationId = idOf(opened?.fields.data) ?? ''
    const contactId = idOf(fieldsOf(opened?.fields.data).contactId) ?? ''
    const dealId = about.some((id) => id.endsWith('Quote'))
      ? (idOf((await attempt('createDeal', { body: some.deal() }))?.fields.data) ?? '')
      : ''
    const place = { contactId, conversationId, dealId }
    for (const [at, operation] of about.entries()) {
      await refuse(operation, tools, place)
      // For an update, no body at all may be an empty one.
      if (operations[operation].method === 'post') await attempt(operation, { text: at % 2 === 0 ? '[]' : '{"name":' })
    }
    await attempt('listConversationsOfContact', { path: { contactId } })
    await attempt('listMessages', { path: { conversationId }, query: { page: 1, limit: 10 } })
  }

async function refuse(operation: OperationId, tools: StoryTools, place: Place): Promise<void> {
  const { attempt } = tools
  const kind = kindNames.find((one) => operations[operation].path.includes(`{${one}Id}`))
  const records = new Map<unknown, Input | undefined>()
  const tried = new Map<string, number>()
  for (const shape of shapesFor(tools, operation, place)) {
    const of = shape.templateType
    if (kind && !records.has(of)) records.set(of, await recordFor(tools, kind, shape, place))
    const input = kind ? records.get(of) : {}
    if (!input) continue
    for (const [fault, body] of wrongBodies(operation, shape, tried)) {
      const times = tried.get(fault) ?? 0
      tried.set(fault, times + 1)
      if (times < mostTried || fault === 'unlisted') await attempt(operation, { ...input, body })
    }
  }
  // A refused request changes nothing.
  for (const input of records.values())
    if (kind && input) await attempt(kinds[kind].shownBy, { ...input, ...(kind === 'template' ? {} : { body: {} }) })
}

/** The oldest records of the run: a server may lose a record after some seconds. */
export const oldRecords: Story = async ({ attempt, created }) => {
  for (const kind of kindNames) {
    const [id] = created(kind)
    if (id !== undefined) await attempt(...readOf(kind, id))
  }
}

/** Requests that may crash a server with incomplete validation, and a create that is repeated. */
export const unusualRequests: Story = async ({ attempt, mint, some }) => {
  await attempt('getTemplate', { path: { templateId: '\0' } })
  await attempt('getConversation', { path: { conversationId: '__proto__' } })
  await attempt('deleteProduct', { path: { productId: `${mint.unknownId()}'` } })
  await attempt('createProduct', { text: '[]', contentType: 'multipart/form-data' })
  await attempt('deleteContactsByEmail', {})
  const body = some.contact()
  for (let time = 0; time < 2; time++) await attempt('createContact', { body })
}

/** The shapes that this run has providers for. */
function shapesFor(tools: StoryTools, operation: OperationId, place: Place): readonly Fields[] {
  try {
    return (shapesOf[operation]?.(tools, place) ?? []) as readonly Fields[]
  } catch {
    return []
  }
}

async function recordFor(
  { attempt, some }: StoryTools,
  kind: (typeof kindNames)[number],
  shape: Fields,
  { contactId, dealId }: Place,
) {
  if (kind === 'contact') return pathTo(kind, contactId)
  const body =
    kind === 'template'
      ? some.template[shape.templateType as 'sms' | 'email' | 'whatsapp']()
      : kind === 'quote'
        ? some.quote(dealId)
        : some[kind]()
  const id = idOf((await attempt(kinds[kind].createdBy, { body }))?.fields.data)
  return id === undefined ? undefined : pathTo(kind, id)
}

/** In how many of the shapes a fault is tried. */
const mostTried = 3

/** Values outside of a list, or of another type: each shape gets the next of them that its operation does not take. */
const outside: Readonly<Record<string, readonly unknown[]>> = {
  ...{ channel: ['chat', 'fax', 'email'], status: ['sleeping'], templateType: ['letter'], category: ['GOSSIP'] },
  ...{ headerType: ['song'], scheduleType: ['someday'], billingFrequency: ['every-full-moon'], signatureOption: ['x'] },
  ...{ email: ['ada@', 'ada', 7], to: ['ada', 7], phone: ['ada', 7] },
  ...{ unitPrice: ['twelve', true], amount: ['twelve', true], unitCost: ['twelve', true] },
}

const receivers = ['conversationId', 'to', 'contactId', 'recipientId', 'recipientIds']

/** The bodies with one fault, of those that a promise says are refused. */
function* wrongBodies(
  operation: OperationId,
  shape: Fields,
  tried: ReadonlyMap<string, number>,
): Generator<readonly [fault: string, body: Fields]> {
  const schema = operations[operation].body('application/json')
  const isRefused = (body: Fields) => {
    const complaint = schema?.complaint(body)
    return complaint !== undefined && promiseOfFault(operation, complaint, body) !== undefined
  }
  const fields = Object.keys(shape)
  for (const field of fields) if (isRefused(without([field], shape))) yield [`no ${field}`, without([field], shape)]
  const unlisted = { ...shape, nickname: 'Amazing' }
  if (isRefused(unlisted)) yield ['unlisted', unlisted]
  for (const field of fields) {
    const bodies = (outside[field] ?? []).map((value) => ({ ...shape, [field]: value })).filter(isRefused)
    const body = bodies[(tried.get(field) ?? 0) % bodies.length]
    if (body) yield [field, body]
  }
  if (singleSends.some((one) => one === operation)) yield ['no receiver', without(receivers, shape)]
}

const without = (fields: readonly string[], shape: Fields): Fields =>
  Object.fromEntries(Object.entries(shape).filter(([name]) => !fields.includes(name)))
