import { closeTo } from '../../../spec/close-to.ts'
import type { Schemas } from '../../../spec/types.ts'
import type { Transaction } from '../../core/transaction.ts'
import { complainOf, type FieldComplaint, refuseIf } from '../refuse.ts'
import type { Channel, Provider } from '../../../fixtures/records.ts'
import { refuse, type Because } from '../../core/refusals.ts'
import { foldedAddress } from '../../store/indexes.ts'
import { isSameEmail } from '../contacts.ts'

interface MediaFields {
  readonly mediaUrl?: string | null
  readonly attachments?: readonly unknown[]
}

/**
 * promise message.attachmentsAreTaken: an attachment with all of its fields is accepted. The specification does not say
 * which of them are required. No URL is ever opened.
 */
export function checkMedia(message: MediaFields, { assumed }: Transaction): void {
  const { mediaUrl, attachments = [] } = message
  const files = attachments.map(fieldsOf)
  const complaint =
    typeof mediaUrl === 'string' && !isHttpsUrl(mediaUrl)
      ? complainOf('mediaUrl', 'must be an HTTPS address')
      : findIncompleteAttachment(files)
  if (complaint) refuseIf(assumed, 'attachmentFields', 'refused', complaint.sentence, complaint.field)
}

type Fields = Readonly<Record<string, unknown>>

/** In a bulk send, the shape of an attachment is not documented: it may be no object. */
const fieldsOf = (attachment: unknown): Fields =>
  typeof attachment === 'object' && attachment !== null ? (attachment as Fields) : {}

/** The specification does not say whether the fields inside an attachment may be unlisted ones. */
export function checkAttachmentFields({ attachments = [] }: MediaFields, tx: Transaction): void {
  const odd = attachments.find((attachment) => unlistedIn(attachment, fieldsOfAttachment) !== undefined)
  checkNestedFields(odd, 'attachments', fieldsOfAttachment, tx)
}

const unlistedIn = (part: unknown, listed: readonly string[]) =>
  Object.keys(fieldsOf(part)).find((field) => !listed.includes(field))

export function checkNestedFields(
  part: unknown,
  name: string,
  listed: readonly string[],
  { assumed }: Transaction,
): void {
  const strange = unlistedIn(part, listed)
  if (strange === undefined) return
  const [meant] = closeTo(strange, listed)
  const suggestion = meant === undefined ? '' : ` (did you mean ${meant}?)`
  const sentence = `${strange.slice(0, 60)} is not a field of ${name}${suggestion}`
  refuseIf(assumed, 'nestedUnlistedFields', 'refused', sentence, `${name}.${strange}`)
}

function findIncompleteAttachment(attachments: readonly Fields[]): FieldComplaint | undefined {
  for (const [at, attachment] of attachments.entries()) {
    const missing = fieldsOfAttachment.find((field) => attachment[field] === undefined)
    if (missing !== undefined) return complainOf(`attachments[${at}].${missing}`, 'is required')
    if (!isHttpsUrl(attachment.mediaUrl)) return complainOf(`attachments[${at}].mediaUrl`, 'must be an HTTPS address')
  }
  return undefined
}

const fieldsOfAttachment = [
  'fileName',
  'fileSize',
  'mimeType',
  'mediaUrl',
  'mediaType',
] as const satisfies (keyof Schemas['Attachment'])[]

function isHttpsUrl(url: unknown): boolean {
  return typeof url === 'string' && URL.canParse(url) && new URL(url).protocol === 'https:'
}

/** For single sends the specification does not say that the provider must match the channel. */
export async function checkProvider(providerId: string, channel: Channel, tx: Transaction): Promise<void> {
  const provider = await resolveProvider(providerId, channel, tx)
  if (provider && provider.channel !== channel && tx.assumed.providerOfOtherChannel === 'refused')
    refuseOtherChannel(channel, { assumption: 'providerOfOtherChannel' })
}

/** promise message.bulkProviderMatchesTheChannel: a bulk send through a provider of a different channel is answered 400. */
export async function checkBulkProvider(providerId: string, channel: Channel, tx: Transaction): Promise<void> {
  const provider = await resolveProvider(providerId, channel, tx)
  if (provider && provider.channel !== channel)
    refuseOtherChannel(channel, { promise: 'message.bulkProviderMatchesTheChannel' })
}

function refuseOtherChannel(channel: Channel, decider: Because): never {
  refuse(`providerId must name a provider of the channel ${channel}`, { ...decider, field: 'providerId' })
}

async function resolveProvider(providerId: string, channel: Channel, tx: Transaction): Promise<Provider | undefined> {
  const provider = await findProvider(providerId, channel, tx)
  const sentence = 'providerId names no provider of this team, neither by its id nor by its number or address'
  if (!provider) refuseIf(tx.assumed, 'unknownProvider', 'refused', sentence, 'providerId')
  return provider
}

/**
 * promise message.providerById: a provider can be named by its id.
 * promise message.providerByAddress: a provider can be named by the phone number or e-mail address on file. Providers of
 * two channels may share a number; the channel then decides.
 */
async function findProvider(providerId: string, channel: Channel, tx: Transaction): Promise<Provider | undefined> {
  const byId = await tx.team.providers.get(providerId)
  if (byId) return byId
  const candidates = await tx.team.providers.find('address', foldedAddress(providerId))
  const byAddress = candidates.filter(({ address }) => isSameEmail(address, providerId, tx))
  return byAddress.find((provider) => provider.channel === channel) ?? byAddress[0]
}
