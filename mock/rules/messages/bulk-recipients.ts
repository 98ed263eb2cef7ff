import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { Assumed } from '../../../spec/assumed.ts'
import { isEmailAddress, isPhoneNumber } from '../../../spec/forms.ts'
import type { BodyOf } from '../../../spec/types.ts'
import { mapAtAPace } from '../../core/team.ts'
import { refuse } from '../../core/refusals.ts'
import { foldedEmail } from '../../store/indexes.ts'
import { comparesIgnoringCase } from '../contacts/contact-matching.ts'
import { refuseIf } from '../refuse-if.ts'
import { checkRecipientLimit } from './send-limits.ts'

type BulkTarget = Pick<BodyOf<'sendBulkMessages'>, 'to' | 'channel'>
type Addresses = readonly string[]

/**
 * promise message.bulkTakesAList: a bulk send takes several addresses with commas between them. The specification does
 * not say what happens to empty items, malformed addresses and duplicates.
 */
export async function parseRecipients({ to, channel }: BulkTarget, assumed: Assumed): Promise<Addresses> {
  const isEmail = channel === 'email'
  const items = to.split(',')
  const addresses = (await mapAtAPace(items, (item) => item.trim())).filter((item) => item !== '')
  if (addresses.length === 0)
    refuse(`to must hold ${describeAddresses(isEmail)}`, { promise: 'message.bulkRequires', field: 'to' })
  if (addresses.length < items.length)
    refuseIf(assumed, 'bulkEmptyItem', 'refused', 'to must hold an address before and after each comma', 'to')
  const recipients = await dropDuplicates(await dropMalformed(addresses, isEmail, assumed), isEmail, assumed)
  checkRecipientLimit(recipients.length, 'to', assumed)
  return recipients
}

const describeAddresses = (isEmail: boolean) =>
  isEmail
    ? 'e-mail addresses with commas between them, such as ada@example.com,grace@example.com'
    : 'phone numbers in E.164 form with commas between them, such as +14155550123,+14155550124'

async function dropMalformed(addresses: Addresses, isEmail: boolean, assumed: Assumed): Promise<Addresses> {
  const valid = await filterInSlices(addresses, isEmail ? isEmailAddress : isPhoneNumber)
  if (valid.length === addresses.length) return valid
  const sentence = `to must hold nothing but ${describeAddresses(isEmail)}`
  refuseIf(assumed, 'bulkBadRecipient', 'refused', sentence, 'to')
  if (valid.length > 0) return valid
  refuse(`to must hold ${describeAddresses(isEmail)}`, { assumption: 'bulkBadRecipient', field: 'to' })
}

async function dropDuplicates(addresses: Addresses, isEmail: boolean, assumed: Assumed): Promise<Addresses> {
  const ignoringCase = await uniqueBy(isEmail ? foldedEmail : identity, addresses)
  if (ignoringCase.length === addresses.length) return addresses
  const exact = await uniqueBy(identity, addresses)
  const unique = ignoringCase.length < exact.length && comparesIgnoringCase(assumed) ? ignoringCase : exact
  return unique.length < addresses.length && assumed.bulkDuplicates === 'once' ? unique : addresses
}

const identity = (address: string) => address

function uniqueBy(keyOf: (address: string) => string, addresses: Addresses): Promise<Addresses> {
  const seen = new Set<string>()
  return filterInSlices(addresses, (address) => seen.size < seen.add(keyOf(address)).size)
}

const sliceLength = 1_000

/** As `filter`, but lets other requests run between the slices of a long list. */
async function filterInSlices(addresses: Addresses, keep: (address: string) => boolean): Promise<Addresses> {
  const kept: string[] = []
  for (let at = 0; at < addresses.length; at += sliceLength) {
    if (at > 0) await yieldToOthers()
    kept.push(...addresses.slice(at, at + sliceLength).filter(keep))
  }
  return kept
}
