import type { World } from '../../fixtures/world.ts'
import { furnished } from './asks.ts'

const at = '2026-03-01T09:30:00.000Z'

const contact = (_id: string, more: object) => ({
  _id,
  firstName: 'Ada',
  lastName: 'Lovelace',
  teamId: 'acme',
  createdAt: at,
  updatedAt: at,
  ...more,
})

const template = (templateType: string, _id: string, more: object = {}) => ({
  _id,
  templateType,
  name: _id,
  uniqueName: _id,
  content: 'Dear {{1}}',
  category: 'UTILITY',
  language: 'en_US',
  status: 'approved',
  provider: `${templateType}-provider`,
  ownerId: 'acme-admin',
  ...more,
})

const said = (_id: string, channel: string, more: object = {}) => ({
  _id,
  channel,
  direction: 'outgoing',
  content: 'Hello',
  status: 'sent',
  conversationId: 'talk',
  contactId: 'lone-phone',
  createdAt: at,
  ...more,
})

const more = {
  timeZone: 'Europe/Paris',
  customFields: ['tier', 'favouriteColour'],
  contacts: [
    contact('lone-phone', { phone: '+14155550131', status: 'closed', additionalFields: { tier: 'gold', motto: 'Go' } }),
    contact('lone-email', { email: 'lone@example.com' }),
    contact('spaced', { phone: '+1 415 555 0132' }),
    contact('twin', { email: 'twin@example.com', phone: '+14155550133' }),
    contact('other-twin', { email: 'twin@example.com', phone: '+14155550133' }),
  ],
  conversations: [{ _id: 'talk', contactId: 'lone-phone', teamId: 'acme', createdAt: at }],
  messages: [
    said('said-1', 'chat', { source: 'Website', unfilled: 'Hello {{pigeon}}' }),
    said('said-2', 'whatsapp', { failure: 'outsideSession' }),
    said('said-3', 'sms', { failure: 'noSuchNumber' }),
    // The next day in Paris.
    said('said-4', 'whatsapp', { fallback: 'Good day', createdAt: '2026-03-01T23:30:00.000Z' }),
  ],
  templates: [
    template('whatsapp', 'approved'),
    template('whatsapp', 'pending', { status: 'pending' }),
    template('whatsapp', 'made-by-key', { ownerId: undefined }),
    template('email', 'mail', { subject: 'News' }),
  ],
  companies: [{ _id: 'mill', name: 'Mill', teamId: 'acme', contacts: ['lone-email'], additionalFields: { tier: 'x' } }],
  deals: [
    { _id: 'offer', name: 'Offer', pipeline: 'sales', stage: 'offer', contactId: 'lone-email', companyId: 'mill' },
  ],
}

/** The records that the examples of the document name, and records that trigger assumptions: duplicates, agents, custom fields … */
export const crowded = {
  teams: furnished.teams.map((team) => {
    if (team._id !== 'acme') return team
    const joined = Object.entries(more).map(([name, added]) => {
      const before = (team as unknown as Record<string, unknown>)[name]
      return [name, Array.isArray(before) ? [...(before as unknown[]), ...(added as unknown[])] : added]
    })
    return { ...team, ...Object.fromEntries(joined) }
  }),
} as World
