import { refuseUnknown } from './contacts.ts'
import type { Switches } from './switches.ts'
import { type Given, type Operation, recordAt, recordToDelete, refuseUnless, showLacking } from './replies.ts'
import type { Fields, Kind, Stored, Team } from './team.ts'
import {
  custom,
  date,
  domain,
  flag,
  number,
  oneOf,
  optional,
  readBody,
  type Reader,
  type Readers,
  text,
  texts,
  url,
} from './values.ts'

// Companies, products, deals and quotes: each is created, updated and deleted, and never read.

interface Table {
  readonly kind: Kind
  readonly created: number
  /** The fields of a create; of an update none is required. */
  readonly fields: Readers
  readonly updateOnly?: Readers
  /** The fields that answers show. */
  readonly shown: readonly string[]
  readonly defaults?: Fields
  readonly check?: (fields: Fields, known: Stored | undefined, given: Given) => void
}

const billing = [
  'one_time monthly quarterly annually one-time weekly every-two-weeks semi-annually every-two-years',
  'every-three-years every-four-years every-five-years',
].flatMap((names) => names.split(' '))

const company: Table = {
  kind: 'company',
  created: 201,
  fields: {
    'name!': text,
    ...readAll(text, 'industry phone address city state zip country email phoneNumber postalCode'),
    domain,
    logoUrl: url,
    employeeCount: number,
    annualRevenue: number,
    contacts: texts,
    additionalFields: custom,
  },
  shown: ['name', 'domain'],
}

const product: Table = {
  kind: 'product',
  created: 201,
  fields: {
    'name!': text,
    'unitPrice!': number,
    unitCost: number,
    billingFrequency: oneOf(...billing),
    ...readAll(text, 'sku description term productType'),
    ...readAll(url, 'imageUrl url'),
  },
  shown: ['name', 'sku', 'unitPrice', 'unitCost'],
}

const deal: Table = {
  kind: 'deal',
  created: 200,
  fields: {
    'name!': text,
    'pipeline!': text,
    'stage!': text,
    amount: number,
    ...readAll(text, 'currency contactId companyId description company owner'),
    closeDate: date,
    contacts: texts,
  },
  shown: ['name', 'amount', 'currency', 'stage', 'pipeline'],
  check: (fields, known, { team, switches }) => {
    const { pipeline, stage, owner } = { ...known, ...fields } as Fields
    if (switches.owners !== 'any') refuseUnless(owner === undefined, switches, switches.owners)
    if (switches.pipelines !== 'any')
      refuseUnless(team.pipelines[pipeline as string]?.includes(stage as string) === true, switches, switches.pipelines)
  },
}

const statuses = ['draft', 'published', 'sent', 'accepted', 'declined', 'expired']
const moves: Readonly<Record<string, readonly string[]>> = {
  draft: ['published', 'sent'],
  published: ['expired'],
  sent: ['accepted', 'declined'],
}

const quote: Table = {
  kind: 'quote',
  created: 201,
  fields: { 'dealId!': text, template: text, name: text },
  updateOnly: {
    ...readAll(text, 'name template terms notes commentsToBuyer purchaseTerms'),
    expirationDate: date,
    url,
    status: oneOf(...statuses),
    signatureOption: oneOf('no-signature', 'written-signature'),
    acceptOnlinePayment: flag,
  },
  shown: ['dealId', 'name', 'status', 'template'],
  defaults: { status: 'draft', template: 'default-basic' },
  check: (fields, known, { team, switches }) => {
    if (!known) refuseUnless(team.shelf('deal').get(fields.dealId as string) !== undefined, switches, 404)
    if (switches.quoteTemplates === 'known')
      refuseUnless((fields.template ?? 'default-basic') === 'default-basic', switches)
    const [from, to] = [String(known?.status), String(fields.status ?? known?.status)]
    if (known && switches.quoteMoves === 'stepByStep')
      refuseUnless(from === to || moves[from]?.includes(to) === true, switches)
  },
}

function readAll(reader: Reader, names: string): Readers {
  return Object.fromEntries(names.split(' ').map((name) => [name, reader]))
}

/** Fields that no two records of a team share. */
const unique = (kind: Kind, { unique: which }: Switches): readonly string[] =>
  ({ none: [], names: ['name'], domainsAndSkus: kind === 'company' ? ['domain'] : ['sku'] })[which]

function refuseTaken(table: Table, fields: Fields, own: string | undefined, { team, switches }: Given): void {
  if (table.kind === 'quote') return
  for (const field of unique(table.kind, switches)) {
    const taken = fields[field] !== undefined && team.find(table.kind, (one) => one[field] === fields[field])
    if (taken) refuseUnless(taken._id === own, switches)
  }
}

function show(record: Stored, { shown, kind }: Table, { team, switches }: { team: Team; switches: Switches }): Fields {
  const { createdAt, updatedAt, ...all } = record
  const own =
    switches.recordsShown === 'everything'
      ? all
      : Object.fromEntries(['_id', ...shown].map((name) => [name, record[name]]))
  return showLacking({ ...own, ...(kind === 'company' ? { teamId: team.id } : {}) }, shown, switches)
}

const create =
  (table: Table): Operation =>
  (given) => {
    const { team, body, switches } = given
    const fields = { ...table.defaults, ...readBody(body, table.fields, switches) }
    refuseUnknown(team, table.kind === 'quote' ? {} : fields, switches)
    refuseTaken(table, fields, undefined, given)
    table.check?.(fields, undefined, given)
    const deal = table.kind === 'quote' ? team.shelf('deal').get(fields.dealId as string) : undefined
    const named = deal ? { name: deal.name, ...fields } : fields
    const record = team.insert(table.kind, named)
    return { status: table.created, message: 'Created', data: show(record, table, given) }
  }

const update =
  (table: Table): Operation =>
  (given) => {
    const { team, body, switches } = given
    const record = recordAt(given, table.kind)
    const fields = readBody(body, table.updateOnly ?? optional(table.fields), switches)
    if (switches.emptyUpdate === 'refused') refuseUnless(Object.keys(fields).length > 0, switches)
    refuseUnknown(team, fields, switches)
    refuseTaken(table, fields, record._id, given)
    table.check?.(fields, record, given)
    const shown = show(team.update(table.kind, record, fields), table, given)
    const changes = Object.fromEntries(Object.keys(fields).map((name) => [name, fields[name]]))
    const data = { record: shown, changes: { ...changes, ...idAndTeam(shown) }, messageOnly: undefined }[
      switches.updateAnswer
    ]
    return { status: 200, message: 'Updated', ...(data ? { data } : {}) }
  }

const idAndTeam = ({ _id, teamId }: Fields) => ({ _id, ...(teamId === undefined ? {} : { teamId }) })

const remove =
  (table: Table): Operation =>
  (given) => {
    const record = recordToDelete(given, table.kind)
    if (record) given.team.remove(table.kind, record._id)
    if (record && table.kind === 'deal')
      for (const one of given.team.shelf('quote').all())
        if (one.dealId === record._id) given.team.remove('quote', one._id)
    return { status: 200, message: 'Deleted' }
  }

export const records = {
  'POST /api/companies/create': create(company),
  'PUT /api/companies/edit/:id': update(company),
  'DELETE /api/companies/delete/:id': remove(company),
  'POST /api/products': create(product),
  'PUT /api/products/:id': update(product),
  'DELETE /api/products/:id': remove(product),
  'POST /api/deals/create': create(deal),
  'PUT /api/deals/edit/:id': update(deal),
  'DELETE /api/deals/delete/:id': remove(deal),
  'POST /api/quotes': create(quote),
  'PUT /api/quotes/:id': update(quote),
  'DELETE /api/quotes/:id': remove(quote),
}
