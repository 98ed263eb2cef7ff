import { setImmediate as othersFirst } from 'node:timers/promises'
import type { Assumed } from '../../../spec/assumed.ts'
import type { ByChoice } from '../../../spec/assumptions.ts'
import { isEmailAddress, isPhoneNumber } from '../../../spec/forms.ts'
import type { BodyOf } from '../../../spec/types.ts'
import { refuse } from '../../core/refusals.ts'
import { foldedEmail } from '../../store/indexes.ts'

type Named = Pick<BodyOf<'sendBulkMessages'>, 'to' | 'channel'>
type Addresses = readonly string[]

/** promise message.bulkTakesAList: addresses with commas between them. What is wrong with a list is not documented. */
export async function recipientsOf({ to, channel }: Named, assumed: Assumed): Promise<Addresses> {
  const isEmail = channel === 'email'
  const places = to.split(',').map((place) => place.trim())
  const addresses = places.filter((place) => place !== '')
  if (addresses.length === 0) refuse(`to must hold ${wordsFor(isEmail)}`)
  if (addresses.length < places.length) bulkEmptyItem[assumed.bulkEmptyItem]()
  const recipients = await eachOnce(await wellFormed(addresses, isEmail, assumed), isEmail, assumed)
  // No limit is smaller than one, so that one alone is never too many.
  if (recipients.length > 1) bulkRecipientLimit[assumed.bulkRecipientLimit](recipients.length, assumed)
  return recipients
}

const wordsFor = (isEmail: boolean) =>
  isEmail
    ? 'e-mail addresses with commas between them, such as ada@example.com,grace@example.com'
    : 'phone numbers in E.164 form with commas between them, such as +14155550123,+14155550124'

const bulkEmptyItem: ByChoice<'bulkEmptyItem', () => void> = {
  ignored: () => undefined,
  refused: () => refuse('to must hold an address before and after each comma'),
}

async function wellFormed(addresses: Addresses, isEmail: boolean, assumed: Assumed): Promise<Addresses> {
  const good = await filtered(addresses, isEmail ? isEmailAddress : isPhoneNumber)
  return good.length < addresses.length ? bulkBadRecipient[assumed.bulkBadRecipient](good, isEmail) : good
}

const bulkBadRecipient: ByChoice<'bulkBadRecipient', (good: Addresses, isEmail: boolean) => Addresses> = {
  refused: (_good, isEmail) => refuse(`to must hold nothing but ${wordsFor(isEmail)}`),
  skipped: (good, isEmail) => (good.length > 0 ? good : refuse(`to must hold ${wordsFor(isEmail)}`)),
}

async function eachOnce(addresses: Addresses, isEmail: boolean, assumed: Assumed): Promise<Addresses> {
  const folded = await firstOfEach(addresses, isEmail ? foldedEmail : asItIs)
  if (folded.length === addresses.length) return addresses
  const spelt = await firstOfEach(addresses, asItIs)
  const once = folded.length < spelt.length ? addressCompare[assumed.addressCompare](folded, spelt) : spelt
  return once.length < addresses.length ? bulkDuplicates[assumed.bulkDuplicates](once, addresses) : addresses
}

const asItIs = (address: string) => address

function firstOfEach(addresses: Addresses, keyOf: (address: string) => string): Promise<Addresses> {
  const seen = new Set<string>()
  return filtered(addresses, (address) => seen.size < seen.add(keyOf(address)).size)
}

const addressCompare: ByChoice<'addressCompare', (folded: Addresses, spelt: Addresses) => Addresses> = {
  ignoringCase: (folded) => folded,
  exact: (_folded, spelt) => spelt,
}

const bulkDuplicates: ByChoice<'bulkDuplicates', (once: Addresses, all: Addresses) => Addresses> = {
  once: (once) => once,
  twice: (_once, all) => all,
}

const bulkRecipientLimit: ByChoice<'bulkRecipientLimit', (count: number, assumed: Assumed) => void> = {
  none: () => undefined,
  atMost: (count, assumed) => {
    const most = assumed.amountOf('bulkRecipientLimit')
    if (count > most) refuse(`to must hold at most ${most} addresses`)
  },
}

const atATime = 1_000

/** As `filter`; a long list is looked at in slices, and between them others have their turn at the processor. */
async function filtered(addresses: Addresses, keep: (address: string) => boolean): Promise<Addresses> {
  const kept: string[] = []
  for (let at = 0; at < addresses.length; at += atATime) {
    if (at > 0) await othersFirst()
    kept.push(...addresses.slice(at, at + atATime).filter(keep))
  }
  return kept
}
