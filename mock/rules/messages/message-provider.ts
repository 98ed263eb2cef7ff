import type { Channel, Provider } from '../../../fixtures/records.ts'
import type { ByChoice } from '../../../spec/assumptions.ts'
import { refuse, type Because } from '../../core/refusals.ts'
import type { Transaction } from '../../core/transaction.ts'
import { foldedAddress, foldedEmail } from '../../store/indexes.ts'

/** For single sends the specification does not say that the provider must match the channel. */
export async function checkProvider(providerId: string, channel: Channel, tx: Transaction): Promise<void> {
  const provider = await resolveProvider(providerId, channel, tx)
  if (provider && provider.channel !== channel) providerOfOtherChannel[tx.assumed.providerOfOtherChannel](channel)
}

const providerOfOtherChannel: ByChoice<'providerOfOtherChannel', (channel: Channel) => void> = {
  refused: (channel) => refuseOtherChannel(channel, { assumption: 'providerOfOtherChannel' }),
  accepted: () => undefined,
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
  return (await findProvider(providerId, channel, tx)) ?? unknownProvider[tx.assumed.unknownProvider]()
}

const unknownProvider: ByChoice<'unknownProvider', () => Provider | undefined> = {
  refused: () =>
    refuse('providerId names no provider of this team, neither by its id nor by its number or address', {
      assumption: 'unknownProvider',
      field: 'providerId',
    }),
  accepted: () => undefined,
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
