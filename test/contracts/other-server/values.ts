import { refuse } from './replies.ts'
import type { Switches } from './switches.ts'
import type { Fields } from './team.ts'

/** Reads one value: returns it as it is kept, or refuses it. */
export type Reader = (value: unknown, name: string, switches: Switches) => unknown

/** The fields of a body; those with a name that ends in `!` are required. */
export type Readers = Readonly<Record<string, Reader>>

/** Reads a body, field by field. A closed one takes only the fields that are listed. */
export function readBody(body: unknown, readers: Readers, switches: Switches, closed = false): Fields {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) refuse(switches)
  const given = body as Fields
  const known = new Map(Object.entries(readers).map(([name, reader]) => [name.replace('!', ''), reader]))
  const required = Object.keys(readers).filter((name) => name.endsWith('!'))
  for (const name of required) if ([undefined, null, ''].includes(given[name.slice(0, -1)] as string)) refuse(switches)
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const reader = known.get(name)
      if (reader) return [[name, reader(value, name, switches)]]
      if (closed || switches.unlisted === 'refused') refuse(switches)
      return switches.unlisted === 'dropped' ? [] : [[name, value]]
    }),
  )
}

/** The same fields, none of them required. */
export const optional = (readers: Readers): Readers =>
  Object.fromEntries(Object.entries(readers).map(([name, reader]) => [name.replace('!', ''), reader]))

const refused: Reader = (_value, _name, switches) => refuse(switches)

export const text: Reader = (value, name, switches) => {
  const cast = switches.casts && typeof value === 'number' ? String(value) : value
  const isFit = typeof cast === 'string' && (!/name$/i.test(name) || cast.length <= switches.longestName)
  return isFit ? cast : refused(value, name, switches)
}

export const orNull =
  (reader: Reader): Reader =>
  (value, name, switches) =>
    value === null ? null : reader(value, name, switches)

export const oneOf =
  (...values: readonly string[]): Reader =>
  (value, name, switches) =>
    values.includes(value as string) ? value : refused(value, name, switches)

export const number: Reader = (value, name, switches) => {
  const cast = switches.casts && typeof value === 'string' && /^[\d.]+$/.test(value) ? Number(value) : value
  return typeof cast === 'number' ? cast : refused(value, name, switches)
}

export const flag: Reader = (value, name, switches) => {
  const cast = value === 'true' ? true : value === 'false' ? false : value
  return typeof cast === 'boolean' ? cast : refused(value, name, switches)
}

/** A date, with or without a time of day. */
export const date: Reader = (value, name, switches) =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : refused(value, name, switches)

export const texts: Reader = (value, name, switches) => {
  const cast = switches.casts && typeof value === 'string' ? [value] : value
  return Array.isArray(cast) ? cast.map((one) => text(one, name, switches)) : refused(value, name, switches)
}

export const list: Reader = (value, name, switches) => (Array.isArray(value) ? value : refused(value, name, switches))

export const object: Reader = (value, name, switches) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : refused(value, name, switches)

export const custom: Reader = (value, name, switches) => {
  const given = object(value, name, switches)
  if (switches.customFields === 'refused' && Object.keys(given as object).length > 0)
    return refused(value, name, switches)
  if (switches.customFields === 'texts')
    return Object.fromEntries(Object.entries(given as object).map(([key, one]) => [key, String(one)]))
  return switches.customFields === 'dropped' ? {} : given
}

export const email: Reader = (value, name, switches) => {
  if (typeof value !== 'string' || !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(value)) return refused(value, name, switches)
  if (switches.emailDomains === 'noExamples' && /@(.*\.)?example\.(com|org|net)$/.test(value))
    return refused(value, name, switches)
  return switches.emailsStored === 'lowerCase' ? value.toLowerCase() : value
}

const atExamples = /[@.]example\.(com|org|net)$/

/** The domain of a company. */
export const domain: Reader = (value, name, switches) =>
  switches.emailDomains === 'noExamplesOfCompanies' && atExamples.test(String(value))
    ? refused(value, name, switches)
    : text(value, name, switches)

/** The address that a message goes to. */
export const reachableEmail: Reader = (value, name, switches) =>
  switches.emailDomains.endsWith('InSends') && atExamples.test(String(value))
    ? refused(value, name, switches)
    : email(value, name, switches)

const fiction = /^\+(1\d{3}55501\d\d|447700900|44\d{3,4}496|442079460|441914980|442920180)/

const plausible = /^\+(1[2-9]\d\d[2-9]\d{6}|44\d{9,10}|49\d{6,11}|33\d{9}|61\d{9})$/

export const phone: Reader = (value, name, switches) => {
  if (typeof value !== 'string') return refused(value, name, switches)
  if (switches.phones === 'national' && /^0\d{6,14}$/.test(value)) return `+49${value.slice(1)}`
  const isReal = switches.phones !== 'noFiction' || !fiction.test(value)
  const isValid =
    /^\+[1-9]\d{1,14}$/.test(value) && (switches.phones !== 'plausible' || plausible.test(value)) && isReal
  return isValid ? value : refused(value, name, switches)
}

/** The number that a message goes to. */
export const reachablePhone: Reader = (value, name, switches) =>
  switches.phones === 'noFictionInSends' && fiction.test(String(value))
    ? refused(value, name, switches)
    : phone(value, name, switches)

export const phoneOfContact: Reader = (value, name, switches) =>
  switches.phonesOfContacts === 'checked' ? phone(value, name, switches) : text(value, name, switches)

export const url: Reader = (value, name, switches) => {
  if (typeof value !== 'string') return refused(value, name, switches)
  const isReachable = switches.urls !== 'reachable' || !/\/\/([\w.-]+\.)?example\.(com|org|net)/.test(value)
  const isSafe = switches.urls !== 'https' || value.startsWith('https://')
  return isReachable && isSafe ? value : refused(value, name, switches)
}
