import { refuse } from './replies.ts'
import type { Knobs } from './knobs.ts'
import type { Fields } from './team.ts'

/** Reads one value: returns it as it is kept, or refuses it. */
export type Reader = (value: unknown, name: string, knobs: Knobs) => unknown

/** The fields of a body; those with a name that ends in `!` are required. */
export type Readers = Readonly<Record<string, Reader>>

/** Reads a body, field by field. A closed one takes only the fields that are listed. */
export function readBody(body: unknown, readers: Readers, knobs: Knobs, closed = false): Fields {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) refuse(knobs)
  const given = body as Fields
  const known = new Map(Object.entries(readers).map(([name, reader]) => [name.replace('!', ''), reader]))
  const required = Object.keys(readers).filter((name) => name.endsWith('!'))
  for (const name of required) if ([undefined, null, ''].includes(given[name.slice(0, -1)] as string)) refuse(knobs)
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const reader = known.get(name)
      if (reader) return [[name, reader(value, name, knobs)]]
      if (closed || knobs.unlisted === 'refused') refuse(knobs)
      return knobs.unlisted === 'dropped' ? [] : [[name, value]]
    }),
  )
}

/** The same fields, none of them required. */
export const optional = (readers: Readers): Readers =>
  Object.fromEntries(Object.entries(readers).map(([name, reader]) => [name.replace('!', ''), reader]))

const refused: Reader = (_value, _name, knobs) => refuse(knobs)

export const text: Reader = (value, name, knobs) => {
  const cast = knobs.casts && typeof value === 'number' ? String(value) : value
  const isFit = typeof cast === 'string' && (!/name$/i.test(name) || cast.length <= knobs.longestName)
  return isFit ? cast : refused(value, name, knobs)
}

export const orNull =
  (reader: Reader): Reader =>
  (value, name, knobs) =>
    value === null ? null : reader(value, name, knobs)

export const oneOf =
  (...values: readonly string[]): Reader =>
  (value, name, knobs) =>
    values.includes(value as string) ? value : refused(value, name, knobs)

export const number: Reader = (value, name, knobs) => {
  const cast = knobs.casts && typeof value === 'string' && /^[\d.]+$/.test(value) ? Number(value) : value
  return typeof cast === 'number' ? cast : refused(value, name, knobs)
}

export const flag: Reader = (value, name, knobs) => {
  const cast = value === 'true' ? true : value === 'false' ? false : value
  return typeof cast === 'boolean' ? cast : refused(value, name, knobs)
}

/** A date, with or without a time of day. */
export const date: Reader = (value, name, knobs) =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : refused(value, name, knobs)

export const texts: Reader = (value, name, knobs) => {
  const cast = knobs.casts && typeof value === 'string' ? [value] : value
  return Array.isArray(cast) ? cast.map((one) => text(one, name, knobs)) : refused(value, name, knobs)
}

export const list: Reader = (value, name, knobs) => (Array.isArray(value) ? value : refused(value, name, knobs))

export const object: Reader = (value, name, knobs) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : refused(value, name, knobs)

export const custom: Reader = (value, name, knobs) => {
  const given = object(value, name, knobs)
  if (knobs.customFields === 'refused' && Object.keys(given as object).length > 0) return refused(value, name, knobs)
  if (knobs.customFields === 'texts')
    return Object.fromEntries(Object.entries(given as object).map(([key, one]) => [key, String(one)]))
  return knobs.customFields === 'dropped' ? {} : given
}

export const email: Reader = (value, name, knobs) => {
  if (typeof value !== 'string' || !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(value)) return refused(value, name, knobs)
  if (knobs.emailDomains === 'noExamples' && /@(.*\.)?example\.(com|org|net)$/.test(value))
    return refused(value, name, knobs)
  return knobs.emailsStored === 'lowerCase' ? value.toLowerCase() : value
}

const atExamples = /[@.]example\.(com|org|net)$/

/** The domain of a company. */
export const domain: Reader = (value, name, knobs) =>
  knobs.emailDomains === 'noExamplesOfCompanies' && atExamples.test(String(value))
    ? refused(value, name, knobs)
    : text(value, name, knobs)

/** The address that a message goes to. */
export const reachableEmail: Reader = (value, name, knobs) =>
  knobs.emailDomains.endsWith('InSends') && atExamples.test(String(value))
    ? refused(value, name, knobs)
    : email(value, name, knobs)

const fiction = /^\+(1\d{3}55501\d\d|447700900|44\d{3,4}496|442079460|441914980|442920180)/

const plausible = /^\+(1[2-9]\d\d[2-9]\d{6}|44\d{9,10}|49\d{6,11}|33\d{9}|61\d{9})$/

export const phone: Reader = (value, name, knobs) => {
  if (typeof value !== 'string') return refused(value, name, knobs)
  if (knobs.phones === 'national' && /^0\d{6,14}$/.test(value)) return `+49${value.slice(1)}`
  const isReal = knobs.phones !== 'noFiction' || !fiction.test(value)
  const isValid = /^\+[1-9]\d{1,14}$/.test(value) && (knobs.phones !== 'plausible' || plausible.test(value)) && isReal
  return isValid ? value : refused(value, name, knobs)
}

/** The number that a message goes to. */
export const reachablePhone: Reader = (value, name, knobs) =>
  knobs.phones === 'noFictionInSends' && fiction.test(String(value))
    ? refused(value, name, knobs)
    : phone(value, name, knobs)

export const phoneOfContact: Reader = (value, name, knobs) =>
  knobs.phonesOfContacts === 'checked' ? phone(value, name, knobs) : text(value, name, knobs)

export const url: Reader = (value, name, knobs) => {
  if (typeof value !== 'string') return refused(value, name, knobs)
  const isReachable = knobs.urls !== 'reachable' || !/\/\/([\w.-]+\.)?example\.(com|org|net)/.test(value)
  const isSafe = knobs.urls !== 'https' || value.startsWith('https://')
  return isReachable && isSafe ? value : refused(value, name, knobs)
}
