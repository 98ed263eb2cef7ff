import type { Channel, Provider } from '../../../fixtures/records.ts'
import type { ByChoice } from '../../../spec/assumptions.ts'
import { refuse } from '../../core/refusals.ts'
import type { Turn } from '../../core/turn.ts'
import { foldedAddress, foldedEmail } from '../../store/indexes.ts'

/** A single send goes out by a provider of the team; that the provider is of the channel is not documented for it. */
export async function checkProvider(named: string, channel: Channel, turn: Turn): Promise<void> {
  const provider = await providerOfASend(named, channel, turn)
  if (provider && provider.channel !== channel) providerOfOtherChannel[turn.assumed.providerOfOtherChannel](channel)
}

const providerOfOtherChannel: ByChoice<'providerOfOtherChannel', (channel: Channel) => void> = {
  refused: (channel) => refuse(`providerId must name a provider of the channel ${channel}`),
  accepted: () => undefined,
}

/** The provider that any send names; none when it may be one that is not on file. */
export async function providerOfASend(named: string, channel: Channel, turn: Turn): Promise<Provider | undefined> {
  return (await providerNamed(named, channel, turn)) ?? unknownProvider[turn.assumed.unknownProvider]()
}

const unknownProvider: ByChoice<'unknownProvider', () => Provider | undefined> = {
  refused: () => refuse('providerId names no provider of this team, neither by its id nor by its number or address'),
  accepted: () => undefined,
}

/**
 * promise message.providerById, message.providerByAddress: a provider is known by its id, and by the phone number or
 * e-mail address on file. One number may serve two channels: then the one of the channel is meant.
 */
export async function providerNamed(named: string, channel: Channel, { team }: Turn): Promise<Provider | undefined> {
  const byId = await team.providers.get(named)
  if (byId) return byId
  const alike = await team.providers.find('address', foldedAddress(named))
  const byAddress = alike.filter(({ address }) => foldedEmail(address) === foldedEmail(named))
  return byAddress.find((provider) => provider.channel === channel) ?? byAddress[0]
}
