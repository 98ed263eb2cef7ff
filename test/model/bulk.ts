import fc from 'fast-check'
import { contactAt } from './conversations.ts'
import { filledFor, templateText } from './filling-in.ts'
import { say, templated, wrongTemplate } from './messages.ts'
import type { Group } from './modelled.ts'
import { email, fields, phone, text, word } from './pools.ts'
import { hasProvider, provider } from './providers.ts'
import { type Item, refuseIf, type TeamModel } from './team-model.ts'

const list = (address: fc.Arbitrary<string>) =>
  fc
    .array(fc.oneof({ weight: 20, arbitrary: address }, { weight: 1, arbitrary: fc.constantFrom('x', '') }), {
      minLength: 1,
      maxLength: 4,
    })
    .map(String)

const schedule = {
  scheduleType: fc.constantFrom('now', 'now', 'scheduled'),
  scheduleTime: fc.constantFrom({ date: '2040-01-31', time: '09:00' }, { date: '2020-01-31', time: '09:00' }),
}

const bulk = (channel: 'email' | 'sms' | 'whatsapp', address: fc.Arbitrary<string>, required = {}, optional = {}) =>
  fields(
    { to: list(address), channel: fc.constant(channel), content: text, providerId: provider(channel), ...required },
    { source: word, ...schedule, ...optional },
  )

const { templateId } = templated

export const bulkMessages: Group<'sendBulkMessages'> = {
  sendBulkMessages: {
    asks: fc.record({
      body: fc.oneof(
        bulk('email', email, { subject: text }, { preheader: text }),
        bulk('sms', phone),
        bulk('whatsapp', phone),
        bulk('whatsapp', phone, { templateId }, templated),
        bulk('sms', phone, { templateId }),
      ),
    }),
    answers: (team, { body }) => {
      const { channel, templateId, scheduleType, scheduleTime } = body
      const recipients = addressesIn(body.to)
      const template = team.get('templates', templateId)
      refuseIf({
        400: [
          recipients.length === 0 || recipients.includes('x'),
          !hasProvider(team, body.providerId, channel),
          channel === 'whatsapp' && wrongTemplate(team, templateId)[400],
          scheduleType === 'scheduled' && scheduleTime === undefined,
        ].some(Boolean),
        404: templateId !== undefined && !template,
      })
      const waits = scheduleType === 'scheduled' && scheduleTime.date > team.now()
      if (!waits) for (const address of recipients) deliver(team, address, body, template)
      return { status: 200 }
    },
  },
}

/** Without duplicates, ignoring case. */
function addressesIn(to: string): string[] {
  const addresses = to.split(',').filter((address) => address !== '')
  const isFirst = (address: string, at: number) =>
    addresses.findIndex((other) => other.toLowerCase() === address.toLowerCase()) === at
  return addresses.filter(isFirst)
}

/** The body is not typed: the schema was checked before. */
function deliver(team: TeamModel, address: string, body: any, template: Item | undefined): void {
  const { channel, subject, bodyParameters } = body
  const contact = contactAt(team, channel === 'email' ? { email: address } : { phone: address })
  const content =
    channel === 'whatsapp' && template
      ? templateText(template, bodyParameters)
      : filledFor(contact, template?.templateType === channel ? template?.content : body.content)
  say(team, contact, { channel, content, ...(subject === undefined ? {} : { subject: filledFor(contact, subject) }) })
}
