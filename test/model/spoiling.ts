import { operations } from '../../spec/operations.ts'
import type { OperationId } from '../../spec/types.ts'

type Body = Readonly<Record<string, unknown>>
type Spoil = (body: Body, id: OperationId) => unknown[]

/** Ways to turn a body that may be accepted into one that must be refused. */
const spoils = {
  isAList: () => [[]],
  isNull: () => [null],
  lacksAField: (body, id) =>
    fieldsOf(body, (field) => isRefused(without(body, field), id)).map((field) => without(body, field)),
  hasAnEmptyField: (body, id) =>
    fieldsOf(body, (field) => isRefused(without(body, field), id)).map((field) => ({ ...body, [field]: '' })),
  hasANumberForText: (body, id) =>
    Object.keys(body)
      .map((field) => ({ ...body, [field]: 7 }))
      .filter((spoilt) => isRefused(spoilt, id)),
  hasAStrayField: (body, id) =>
    /^.api.(messages|conversations)/.test(operations[id].path) ? [{ ...body, pigeon: true }] : [],
  hasNoAddress: (body, id) =>
    takesAddresses(id)
      ? fieldsOf(body, (field) => addressesOf(id).includes(field)).map((field) => ({ ...body, [field]: 'x' }))
      : [],
} satisfies Record<string, Spoil>

/** The phone of a contact may have any form. */
const addressesOf = (id: OperationId) => (/contact/i.test(id) ? ['email', 'to'] : ['email', 'phone', 'to'])

export const waysToSpoil = Object.keys(spoils) as (keyof typeof spoils)[]

/** The body spoilt in this way, or an empty list when that is not possible. */
export function spoilt(body: Body, id: OperationId, way: keyof typeof spoils): unknown {
  const all: Spoil = spoils[way]
  return all(body, id)[0] ?? []
}

const fieldsOf = (body: Body, isMeant: (field: string) => boolean) => Object.keys(body).filter(isMeant)

const without = (body: Body, field: string): Body =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== field))

const isRefused = (body: Body, id: OperationId) => operations[id].body('application/json')?.check(body) !== undefined

/** The operations that check addresses before anything else, such as unknown ids. */
const takesAddresses = (id: OperationId) =>
  operations[id].method === 'post' && ['contacts', 'conversations', 'messages'].includes(operations[id].group)
