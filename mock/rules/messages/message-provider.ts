import type { Channel, Provider } from '../../../fixtures/records.ts'
import type { ByChoice } from '../../../spec/assumptions.ts'
import type { Because } from '../../core/because.ts'
import { refuse } from '../../core/refusals.ts'
import type { Turn } from '../../core/turn.ts'
import { foldedAddress, foldedEmail } from '../../store/indexes.ts'

/** For single sends the specification does not say that the provider must match the channel. */
export async function checkProvider(providerId: string, channel: Channel, turn: Turn): Promise<void> {
  const provider = await resolveProvider(providerId, channel, turn)
  if (provider && provider.channel !== channel) providerOfOtherChannel[turn.assumed.providerOfOtherChannel](channel)
}

const providerOfOtherChannel: ByChoice<'providerOfOtherChannel', (channel: Channel) => void> = {
  refused: (channel) => refuseOtherChannel(channel, { assumption: 'providerOfOtherChannel' }),
  accepted: () => undefined,
}

/** promise message.bulkProviderMatchesTheChannel: a bulk send through a provider of a different channel is answered 400. */
export async function checkBulkProvider(providerId: string, channel: Channel, turn: Turn): Promise<void> {
  const provider = await resolveProvider(providerId, channel, turn)
  if (provider && provider.channel !== channel)
    refuseOtherChannel(channel, { promise: 'message.bulkProviderMatchesTheChannel' })
}

function refuseOtherChannel(channel: Channel, decider: Because): never {
  refuse(`providerId must name a provider of the channel ${channel}`, { ...decider, field: 'providerId' })
}

async function resolveProvider(providerId: string, channel: Channel, turn: Turn): Promise<Provider | undefined> {
  return (await findProvider(providerId, channel, turn)) ?? unknownProvider[turn.assumed.unknownProvider]()
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
 * two channels may share a number, and then the one of the channel is meant.
 */
async function findProvider(providerId: string, channel: Channel, { team }: Turn): Promise<Provider | undefined> {
  const byId = await team.providers.get(providerId)
  if (byId) return byId
  const candidates = await team.providers.find('address', foldedAddress(providerId))
  const byAddress = candidates.filter(({ address }) => foldedEmail(address) === foldedEmail(providerId))
  return byAddress.find((provider) => provider.channel === channel) ?? byAddress[0]
}
