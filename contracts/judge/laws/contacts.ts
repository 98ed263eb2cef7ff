import { fieldsOf, idOf } from '../../client/answer.ts'
import type { PromiseId } from '../../../spec/promises.ts'
import type { Facts, KnownRecord, Open } from '../facts.ts'
import { type Law, state } from './law.ts'

// The contact that an address leads to. An older contact may have the same fictional phone number.

/** The only contact of this traffic that has the address, in this spelling. */
export function onlyContactAt(facts: Facts, open: Open, address: unknown): KnownRecord | undefined {
  const [only, ...others] = facts.contactsAt(open.request.caller, address, open) ?? []
  const isEmail = String(address).includes('@')
  const isShown = only?.fields.get(isEmail ? 'email' : 'phone')?.value === address
  // No older contact has a phone number that led to one of this traffic.
  const first = isEmail ? undefined : facts.firstAt(open.request.caller, address)
  const isFirm = isEmail ? isShown : first !== undefined && (isShown || first === only?.id)
  return others.length === 0 && only?.madeBy !== undefined && isFirm ? only : undefined
}

/** The contact that has all addresses of a request, each of which belongs to no other. */
export function contactMeant(facts: Facts, open: Open): KnownRecord | undefined {
  const { email, phone } = fieldsOf(open.request.body)
  const given = [email, phone].filter((address) => address !== undefined)
  const found = given.map((address) => onlyContactAt(facts, open, address))
  return found.every((one) => one === found[0]) ? found[0] : undefined
}

/** A server may find a new address a moment later. */
export const leads = (promise: PromiseId, known: KnownRecord, id: string) =>
  state(promise, id === known.id, `the contact ${known.id}`, id, { since: known.madeBy, mayLag: id !== known.id })

const upsert: Law = {
  promises: ['contact.upsertUpdates', 'contact.upsertCreates'],
  needsAll: true,
  operations: ['createOrUpdateContact'],
  judge: ({ open, request, answer, repeatsKey, began }, facts) => {
    const { email, phone } = fieldsOf(request.body)
    const id = idOf(answer.fields.data)
    if (repeatsKey || request.complaint || id === undefined) return []
    const known = contactMeant(facts, open)
    if (known && email !== undefined && phone !== undefined && (known.madeBy ?? began) < began)
      return [leads('contact.upsertUpdates', known, id)]
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
  judge: ({ open, request: { query, caller }, answer, wasAlone }, facts) => {
    const { email } = query
    const all = facts.contactsAt(caller, email, open)
    const known = all?.filter(({ fields }) => fields.get('email')?.value === email)
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
