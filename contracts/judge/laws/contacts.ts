import { fieldsOf, idOf } from '../../client/answer.ts'
import type { Facts, KnownRecord } from '../facts.ts'
import type { ParsedRequest } from '../parse-request.ts'
import { type Law, state } from './law.ts'

// The contact that an address leads to. An older contact may have the same fictional phone number.

/** The only contact of this traffic that has the address. */
export function onlyContactAt(facts: Facts, caller: string, address: unknown): KnownRecord | undefined {
  if (typeof address !== 'string') return undefined
  const [only, ...others] = facts.contactsAt(caller, address) ?? []
  return others.length === 0 && only?.madeBy !== undefined ? only : undefined
}

/** The contact that has all addresses of a request, each of which belongs to no other. */
export function contactMeant(facts: Facts, { body, caller }: ParsedRequest): KnownRecord | undefined {
  const { email, phone } = fieldsOf(body)
  const given = [email, phone].filter((address) => address !== undefined)
  const found = given.map((address) => onlyContactAt(facts, caller, address))
  return found.every((one) => one === found[0]) ? found[0] : undefined
}

const upsert: Law = {
  promises: ['contact.upsertUpdates', 'contact.upsertCreates'],
  needsAll: true,
  operations: ['createOrUpdateContact'],
  judge: ({ request, answer, repeatsKey, began }, facts) => {
    const { email, phone } = fieldsOf(request.body)
    const id = idOf(answer.fields.data)
    if (repeatsKey || request.complaint || id === undefined) return []
    const known = contactMeant(facts, request)
    if (known && email !== undefined && phone !== undefined && (known.madeBy ?? began) < began)
      return [state('contact.upsertUpdates', id === known.id, `the contact ${known.id}`, id, { since: known.madeBy })]
    const isNew = [email, phone].every(
      (address) => address === undefined || facts.contactsAt(request.caller, address)?.length === 0,
    )
    const found = facts.record('contact', id)
    if (!isNew || (email ?? phone) === undefined || found?.deletedBy !== undefined) return []
    return [
      state('contact.upsertCreates', found === undefined, 'a new contact', `the contact ${id}`, {
        since: found?.madeBy,
      }),
    ]
  },
}

const deleteByEmail: Law = {
  promises: ['contact.deleteByEmailSaysHowMany'],
  needsAll: true,
  operations: ['deleteContactsByEmail'],
  judge: ({ request: { query, caller }, answer, wasAlone }, facts) => {
    const { email } = query
    const known =
      typeof email === 'string'
        ? facts.contactsAt(caller, email)?.filter(({ fields }) => fields.get('email')?.value === email)
        : undefined
    const all = typeof email === 'string' ? facts.contactsAt(caller, email) : undefined
    // A server may ignore the capitals of an address.
    if (!wasAlone || !known || known.length !== all?.length || known.length === 0 || answer.message === '') return []
    const numbers = numbersIn(answer.message.replaceAll(String(email), ''))
    if (numbers.length === 0) return []
    return [
      state(
        'contact.deleteByEmailSaysHowMany',
        numbers.includes(known.length),
        `a message with the number ${known.length}`,
        answer.message,
      ),
    ]
  },
}

/** The numbers in a text, in digits or in English. */
export function numbersIn(text: string): number[] {
  const words = text.toLowerCase().match(/\d+|[a-z]+/g) ?? []
  const names = ['no', 'one', 'two', 'three']
  return words.map((word) => (/\d/.test(word) ? Number(word) : names.indexOf(word))).filter((one) => one >= 0)
}

export const contacts: readonly Law[] = [upsert, deleteByEmail]
