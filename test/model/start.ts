import type { TeamInWorld, World } from '../../fixtures/world.ts'
import { twoTeams } from '../mock/harness.ts'

const at = '2026-02-28T23:59:59.999Z'

/** The world at the start of every sequence: each team has records of every kind, with ids of its own. */
export const start: World = {
  teams: twoTeams.teams.map((team) => ({ ...team, ...recordsOf(team._id) })),
}

function recordsOf(team: string): Partial<TeamInWorld> {
  const id = (number: number) => number.toString(16).padStart(24, team === 'acme' ? 'a' : 'b')
  const stamps = { teamId: team, createdAt: at, updatedAt: at }
  const ada = { _id: id(1), firstName: 'Ada', lastName: `of ${team}`, email: 'ada@example.com', phone: '+14155550123' }
  const grace = { _id: id(2), firstName: 'Grace', lastName: `of ${team}`, email: 'grace@example.com' }
  const hello = { direction: 'outgoing', content: `Hello from ${team}`, status: 'sent', createdAt: at }
  const template = { name: `News of ${team}`, content: 'Your order {{1}} has left', status: 'approved' } as const
  return {
    contacts: [ada, grace].map((contact) => ({ ...contact, ...stamps })),
    conversations: [{ _id: id(3), teamId: team, contactId: ada._id, createdAt: at }],
    messages: (['chat', 'sms', 'chat'] as const).map((channel, number) => ({
      _id: id(4 + number),
      channel,
      conversationId: id(3),
      contactId: ada._id,
      ...hello,
    })),
    templates: [
      { _id: id(7), templateType: 'sms', uniqueName: 'sms', ...template },
      { _id: id(8), templateType: 'email', uniqueName: 'email', subject: 'News', ...template },
      { _id: id(9), templateType: 'whatsapp', uniqueName: 'whatsapp', category: 'UTILITY', ...template },
    ],
    companies: [{ _id: id(10), name: `Engines of ${team}`, teamId: team, additionalFields: { tier: 'gold' } }],
    products: [{ _id: id(11), name: `Engine of ${team}`, unitPrice: 1200, sku: 'E-1' }],
    deals: [{ _id: id(12), name: `Mill of ${team}`, pipeline: 'sales', stage: 'offer', contactId: ada._id }],
    quotes: [{ _id: id(13), dealId: id(12), name: `Mill of ${team}`, status: 'draft', template: 'default-basic' }],
  }
}
