// A world of exactly the sizes that a measurement wants; what its records say does not matter.

const hex = (kind, at) => `${kind}${at.toString(16).padStart(22, '0')}`
const each = (count, make) => Array.from({ length: count }, (_, at) => make(at))
const timeOf = (at) => new Date(Date.UTC(2025, 2, 1) + at * 60_000).toISOString()
const text = 'Thank you for asking: the order left our warehouse this morning.'

/** Four of five contacts have a conversation, unless so many are named; a message has a conversation in turn. */
export function sizedWorld({ contacts, conversations = contacts - Math.floor(contacts / 5), messages, templates = 9 }) {
  const channels = ['chat', 'email', 'sms', 'whatsapp']
  const team = {
    _id: 'demo',
    name: 'Demo',
    apiKeys: ['demo-key'],
    providers: [
      { _id: 'email-provider', channel: 'email', address: 'hello@demo.example.com' },
      { _id: 'sms-provider', channel: 'sms', address: '+14155550100' },
      { _id: 'whatsapp-provider', channel: 'whatsapp', address: '+14155550101' },
    ],
    contacts: each(contacts, (at) => ({
      _id: hex('c1', at),
      firstName: 'Ada',
      lastName: `Lovelace ${at}`,
      email: `ada.lovelace.${at}@example.com`,
      phone: `+1555${String(at).padStart(7, '0')}`,
      status: 'open',
      lifecycleStage: 'Lead',
      teamId: 'demo',
      createdAt: timeOf(at),
      updatedAt: timeOf(at),
    })),
    conversations: each(conversations, (at) => ({
      _id: hex('c2', at),
      teamId: 'demo',
      contactId: hex('c1', at),
      createdAt: timeOf(at),
    })),
    messages: each(messages ?? conversations * 4, (at) => ({
      _id: hex('c3', at),
      channel: channels[at % 4],
      direction: 'outgoing',
      content: text,
      status: 'sent',
      conversationId: hex('c2', at % conversations),
      contactId: hex('c1', at % conversations),
      createdAt: timeOf(contacts + at),
      ...(at % 4 === 1 ? { subject: 'Your order' } : {}),
    })),
    templates: each(templates, makeTemplate),
  }
  return { teams: [team] }
}

/** Each type in turn; WhatsApp templates get each status in turn. */
function makeTemplate(at) {
  const templateType = ['sms', 'email', 'whatsapp'][at % 3]
  const statuses = ['pending', 'approved', 'rejected']
  return {
    _id: hex('c4', at),
    name: `Template ${at}`,
    uniqueName: `template_${at}`,
    language: 'en',
    templateType,
    provider: `${templateType}-provider`,
    content: text,
    status: templateType === 'whatsapp' ? statuses[Math.floor(at / 3) % 3] : 'approved',
    ...(templateType === 'email' ? { subject: 'Your order' } : {}),
    ...(templateType === 'whatsapp' ? { category: 'UTILITY' } : {}),
  }
}
