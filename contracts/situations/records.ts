import { type Fields, idOf } from '../client/answer.ts'
import { kinds, pathTo } from '../client/kinds.ts'
import type { Input } from '../client/request.ts'
import type { Story, StoryTools } from '../judge/story.ts'
import { keys, textOf, textPairs, withKey } from './writes.ts'

// Companies, products, deals and quotes: made with some of their fields, changed in others, read, and deleted.

const fieldsOfKinds = {
  company: ['name', 'domain', 'industry', 'city', 'employeeCount', 'additionalFields'],
  product: ['name', 'sku', 'unitPrice', 'unitCost', 'billingFrequency', 'description'],
  deal: ['name', 'amount', 'currency', 'stage', 'closeDate', 'description'],
  quote: ['name', 'status', 'acceptOnlinePayment', 'terms', 'expirationDate', 'notes'],
} as const

type Kind = keyof typeof fieldsOfKinds

export const recordParameters = {
  kind: ['company', 'product', 'deal', 'quote'],
  texts: textPairs,
  shape: ['minimal', 'usual', 'withOneMore'],
  /** The fields that each update changes: their indexes in `fieldsOfKinds`. */
  fields: [
    [[0], [1, 2], [3, 4], [5]],
    [[2], [3], [5], [0, 1]],
    [[3], [4], [5], [0, 2]],
    [[0, 1], [3], [5], [4]],
  ],
  value: ['usual', 'zero', 'large'],
  key: keys,
  ends: ['deleted', 'deletedAndMadeAgain', 'triedByAnotherTeam'],
} as const

type Values = { readonly [Name in keyof typeof recordParameters]: (typeof recordParameters)[Name][number] }

export const recordStory =
  ({ kind, texts, shape, fields, value, key, ends }: Values): Story =>
  async (tools) => {
    const { attempt } = tools
    const body = await bodyOf(tools, kind, shape, textOf(texts, 0))
    const elsewhere = kind === 'quote' ? undefined : { body: { ...body, name: tools.mint.name('Of another team') } }
    const answer = await withKey(tools, key, kinds[kind].createdBy, { body }, elsewhere)
    const id = idOf(answer?.fields.data)
    if (id === undefined) return
    const { shownBy, deletedBy } = kinds[kind]
    const at = pathTo(kind, id)
    const beside = { ...(await bodyOf(tools, kind, 'minimal', 'Ada')), ...besides(kind, body) }
    const other = idOf((await attempt(kinds[kind].createdBy, { body: beside }))?.fields.data)
    for (const [time, field] of fields.entries()) {
      const changed = changeOf(tools, kind, field, textOf(texts, time), value, time)
      await withKey(tools, time === 0 ? key : 'none', shownBy, { ...at, body: changed })
    }
    if (kind === 'deal') await changeAround(tools, at, body)
    await attempt(shownBy, { ...at, body: {} })
    if (other !== undefined) await attempt(shownBy, { ...pathTo(kind, other), body: {} })
    const second = kind === 'quote' ? idOf((await attempt('createQuote', { body }))?.fields.data) : undefined
    if (ends === 'triedByAnotherTeam') {
      await attempt(shownBy, { ...at, body: { name: 'Mallory' }, caller: 'otherTeam' })
      await attempt(deletedBy, { ...at, caller: 'otherTeam' })
      await attempt(shownBy, { ...at, body: {} })
    }
    await attempt(deletedBy, at)
    await attempt(shownBy, { ...at, body: { name: 'Gone' } })
    if (ends === 'deletedAndMadeAgain') await attempt(kinds[kind].createdBy, { body })
    if (kind === 'deal') await attempt('createQuote', { body: { dealId: id } })
    for (const id of [other, second]) if (id !== undefined) await attempt(shownBy, { ...pathTo(kind, id), body: {} })
    // The deal still has a quote.
    if (kind === 'quote') await attempt('deleteDeal', { path: { dealId: String(body.dealId) } })
  }

/** Fields of a second record: the sku of the first, or zeros. */
function besides(kind: Kind, { sku }: Fields): Fields {
  return {
    company: { employeeCount: 0, annualRevenue: 0, contacts: [] },
    product: sku === undefined ? { unitPrice: 0 } : { sku, unitCost: 0 },
    deal: { amount: 0 },
    quote: {},
  }[kind]
}

/** Moves a deal to another stage and back, and changes its company. */
async function changeAround({ attempt, mint }: StoryTools, at: Input, { stage, companyId }: Fields): Promise<void> {
  if (typeof companyId !== 'string') return
  for (const body of [{ stage: 'won' }, { stage }]) await attempt('updateDeal', { ...at, body })
  await attempt('updateCompany', { path: { companyId }, body: { name: mint.name('Mill') } })
}

async function bodyOf(tools: StoryTools, kind: Kind, shape: Values['shape'], text: string): Promise<Fields> {
  const { attempt, mint, some } = tools
  const deal = async () => idOf((await attempt('createDeal', { body: some.deal() }))?.fields.data) ?? mint.unknownId()
  const name = mint.name(text)
  const whole: Fields = kind === 'quote' ? { ...some.quote(await deal()), name } : { ...some[kind](), name }
  const required: Readonly<Record<Kind, readonly string[]>> = {
    company: ['name'],
    product: ['name', 'unitPrice'],
    deal: ['name', 'pipeline', 'stage'],
    quote: ['dealId'],
  }
  // A quote is named after its deal.
  if (shape === 'minimal' && kind === 'quote')
    await attempt('updateDeal', { path: { dealId: String(whole.dealId) }, body: { name: mint.name('Renamed') } })
  if (shape === 'minimal') return Object.fromEntries(required[kind].map((field) => [field, whole[field]]))
  if (shape === 'usual') return whole
  if (kind === 'quote') return { dealId: whole.dealId, name }
  return {
    ...whole,
    ...{
      company: { industry: 'Machinery' },
      product: { description: text, sku: digitsOf(mint) },
      deal: kind === 'deal' ? await partiesOf(tools) : {},
    }[kind],
  }
}

async function partiesOf({ attempt, some }: StoryTools): Promise<Fields> {
  const companyId = idOf((await attempt('createCompany', { body: some.company() }))?.fields.data)
  const contactId = idOf((await attempt('createContact', { body: some.contact() }))?.fields.data)
  return { companyId, contactId }
}

/** A server that takes it for a number loses the zeros. */
const digitsOf = (mint: StoryTools['mint']) => `00${Date.now()}${mint.slug('AE').replaceAll(/\D/g, '')}`

const domains = (mint: StoryTools['mint'], emailDomain: string) =>
  `${mint.slug('mill').replaceAll('_', '-')}.${emailDomain}`

function changeOf(
  { mint, target }: StoryTools,
  kind: Kind,
  changed: readonly number[],
  text: string,
  value: Values['value'],
  time: number,
): Fields {
  const number = value === 'zero' ? 0 : value === 'large' ? 98765432.1 + time : 1300.75 + time
  const values: Readonly<Record<string, unknown>> = {
    // A server may keep the space at the beginning or not.
    name: mint.name(time === 3 ? ` ${text}` : text),
    domain: domains(mint, target.emailDomain),
    sku: digitsOf(mint),
    unitPrice: number,
    unitCost: number,
    // Most deals have an amount, so that an update to none shows.
    amount: value === 'large' ? number : 0,
    employeeCount: Math.floor(number),
    billingFrequency: ['monthly', 'one_time', 'every-two-years'][time % 3],
    currency: ['EUR', 'USD', 'GBP'][time % 3],
    stage: target.places.stage ?? `stage-${time}`,
    status: ['accepted', 'published', 'draft'][time % 3],
    acceptOnlinePayment: false,
    additionalFields: { favouriteColour: text },
    closeDate: new Date(Date.now() + 30 * 86_400_000).toISOString(),
    expirationDate: new Date(Date.now() + 30 * 86_400_000).toISOString(),
  }
  return Object.fromEntries(
    changed.flatMap((index) => {
      const name = fieldsOfKinds[kind][index]
      return name === undefined ? [] : [[name, values[name] ?? text]]
    }),
  )
}
