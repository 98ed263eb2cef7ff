import { isDeepStrictEqual } from 'node:util'

const digits = (text: string) => text.replaceAll(/\D/g, '')
const lower = (text: string) => text.toLowerCase()

const formsOf: Readonly<Record<string, (text: string) => string>> = {
  phone: digits,
  phoneNumber: digits,
  email: lower,
  domain: lower,
  currency: lower,
}

/** A server may write white space, capitals of an address and the signs in a phone number in another way, and no value as null or as an empty text. */
export function isSame(field: string, one: unknown, other: unknown): boolean {
  if (isNone(one) || isNone(other)) return isNone(one) && isNone(other)
  if (typeof one !== 'string' || typeof other !== 'string') return isDeepStrictEqual(one, other)
  // A server may complete a number without the code of a country.
  if (field === 'phone' && !one.startsWith('+')) return true
  if (isTime(one) && isTime(other)) return Math.abs(Date.parse(one) - Date.parse(other)) < 1000
  const form = formsOf[field] ?? ((text) => text)
  return form(squeeze(one)) === form(squeeze(other))
}

/** A server may round a time, and write it in another zone. */
const isTime = (text: string) => /^\d{4}-\d\d-\d\dT\d\d:/.test(text)

export const isNone = (value: unknown) => value === undefined || value === null || value === ''

export const squeeze = (text: string) => text.normalize().replaceAll(/\s+/g, ' ').trim()
