import type { Channel, Provider } from '../../../fixtures/records.ts'
import { refuse, type Because } from '../../core/refusals.ts'
import type { Transaction } from '../../core/transaction.ts'
import { foldedAddress, foldedEmail } from '../../store/indexes.ts'
import { refuseIf } from '../refuse-if.ts'

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
async function findProvider(
  providerId: string,
  channel: Channel,
  { team }: Transaction,
): Promise<Provider | undefined> {
  const byId = await team.providers.get(providerId)
  if (byId) return byId
  const candidates = await team.providers.find('address', foldedAddress(providerId))
  const byAddress = candidates.filter(({ address }) => foldedEmail(address) === foldedEmail(providerId))
  return byAddress.find((provider) => provider.channel === channel) ?? byAddress[0]
}
