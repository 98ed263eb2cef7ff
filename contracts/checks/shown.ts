import { expect } from 'vitest'

/** Fields as a server may show them: it may write a phone number with spaces and the like, or without the plus. */
export function asShown<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]: [string, unknown]) => [
      name,
      (name === 'phone' || name === 'phoneNumber') && typeof value === 'string' ? sameNumber(value) : value,
    ]),
  ) as Fields
}

const sameNumber = (phone: string): unknown =>
  expect.stringMatching(new RegExp(`^\\+?[\\s().-]*${(phone.match(/\d/g) ?? []).join('[\\s().-]*')}$`))
