import fc from 'fast-check'
import type { TeamModel } from './team-model.ts'

type Channel = keyof typeof addresses

const addresses = { email: 'hello@@team.example.com', sms: '+14155550100', whatsapp: '+14155550101' }

/** Mostly a provider of the channel, by id or by address. */
export function provider(channel: Channel): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant(`${channel}-provider`) },
    { weight: 3, arbitrary: fc.constant(addresses[channel]) },
    { weight: 1, arbitrary: fc.constantFrom('email-provider', 'sms-provider', 'hello@@other.example.com', 'nobody') },
  )
}

/** Whether the team has this provider, and on this channel. */
export function hasProvider({ name }: TeamModel, provider: string, channel: string): boolean {
  const address = addresses[channel as Channel].replace('@team', name)
  return provider === `${channel}-provider` || provider === address
}
