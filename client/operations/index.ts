import { operations } from '../../spec/operations.ts'
import type { OperationId } from '../../spec/types.ts'
import type { Input } from '../request.ts'
import type { Ground } from '../tools.ts'
import { companies, company, companyBodies } from './companies.ts'
import { contact, contactBodies, contacts } from './contacts.ts'
import { conversations } from './conversations.ts'
import { deal, dealBodies, deals } from './deals.ts'
import { messageBodies, messages } from './messages.ts'
import { product, productBodies, products } from './products.ts'
import { quote, quoteBodies, quotes } from './quotes.ts'
import type { Row } from './row.ts'
import { template, templateBodies, templates } from './templates.ts'

/** Every operation. In this order no request deletes what a later one is about: a quote goes before its deal. */
export const rows: Readonly<Record<OperationId, Row>> = {
  ...conversations,
  ...messages,
  ...templates,
  ...contacts,
  ...companies,
  ...products,
  ...quotes,
  ...deals,
}

/**
 * The records that a run can leave behind; a conversation and its messages go with their contact. In this order each
 * comes before those that it names.
 */
export const kinds = { quote, deal, product, company, template, contact }

export type Kind = keyof typeof kinds

export const kindNames = Object.keys(kinds) as Kind[]

/** The parameter of a path that names a record. */
export const pathTo = (kind: Kind | 'conversation', id: string) => ({ path: { [`${kind}Id`]: id } })

/** What shows a record: a read or, where there is none, an update that changes nothing. */
export function viewInput(kind: Kind, id: string): Input {
  const isRead = operations[kinds[kind].seenBy].method === 'get'
  return { ...pathTo(kind, id), ...(isRead ? {} : { body: {} }) }
}

/** The kind of record that the path of an operation names. */
export function kindIn(operation: OperationId): Kind {
  const [, name] = /\{(\w+)Id\}/.exec(operations[operation].path) ?? []
  const kind = kindNames.find((known) => known === name)
  if (!kind) throw new TypeError(`${operation} names no record`)
  return kind
}

/** Bodies with which every create and send succeeds, each unlike any other and with the mark of the run in it. */
export const createBodies = (ground: Ground) => ({
  ...messageBodies(ground),
  ...templateBodies(ground),
  ...contactBodies(ground),
  ...companyBodies(ground),
  ...productBodies(ground),
  ...dealBodies(ground),
  ...quoteBodies(ground),
})

export type Bodies = ReturnType<typeof createBodies>
