import { type Static, Type } from 'typebox'
import { inSteps } from '../../lib/pause.ts'
import { readDuration } from '../../lib/time.ts'
import { isEmailAddress, isPhoneNumber } from '../../spec/forms.ts'
import { Lease, type Reader } from '../store/port.ts'
import { dropPart, releaseBulkSends, releasePart } from '../rules/messages/bulk-delivery.ts'
import { receiveMessage } from '../rules/messages/new-message.ts'
import { readOutbox, reportDelivery } from '../rules/messages/outbox.ts'
import { stepsOfTeam } from '../store/teams.ts'
import { checkMatch, type ControlContext, findTeam, ignoreDeletedTeam } from './context.ts'
import { UnknownName, reject } from '../core/rejections.ts'
import { noun, route } from './route.ts'
import {
  Channel,
  flag,
  input,
  integer,
  listOf,
  moment,
  OneTeam,
  optionalInteger,
  optionalText,
  output,
  queryOf,
  text,
  texts,
} from '../core/schemas.ts'

const OutboxState = Type.Enum(['sent', 'queued', 'scheduled', 'held'], {
  title: 'OutboxState',
  description:
    'Sent; due, and sent in a moment; scheduled for later; or held until it is released (`bulkDelivery=onRelease`).',
})

const mostItems = 1000

const OutboxQuery = queryOf({
  team: optionalText('The id of a team; all teams by default.'),
  channel: Type.Optional(Channel),
  to: optionalText('A phone number or an e-mail address.', { minLength: 1 }),
  state: Type.Optional(OutboxState),
  limit: optionalInteger(1, mostItems, 'Only the latest of them; 1000 by default.'),
  wait: optionalText('How long to wait until there are as many as `atLeast`, such as `5s`; not at all by default.'),
  atLeast: optionalInteger(1, mostItems, 'How many to wait for; one by default.'),
})
type OutboxQuery = Static<typeof OutboxQuery>

const OutboxItem = output('OutboxItem', {
  id: text(),
  team: text(),
  channel: Channel,
  state: OutboxState,
  to: texts('The addresses; several of a bulk send that waits.'),
  subject: optionalText(),
  content: text('As it was rendered; of what waits, before it is rendered.'),
  status: optionalText('The status that the history shows.'),
  contactId: optionalText(),
  conversationId: optionalText(),
  providerId: optionalText(),
  at: Type.Optional(moment('When it was sent, or is to be sent.')),
})
type OutboxItem = Static<typeof OutboxItem>

const DeliveryToReport = input('DeliveryToReport', { status: Type.Enum(['delivered', 'read', 'bounced']) })

export const outbox = noun('outbox', 'What was sent and what waits to be sent.', (context) => {
  const { store, teams, scheduler } = context
  return {
    listOutbox: route('GET /outbox', 'List what was sent and what waits to be sent', {
      description:
        'The oldest first. It is read from the records of the teams, so what is deleted there is not in it either. With `wait`, it is answered as soon as there are enough, or 409 when there are fewer at the end of the time. A bulk send that waits is one item with all its addresses, and one item for each person once it is sent.',
      query: OutboxQuery,
      message: 'Outbox found',
      data: listOf(OutboxItem),
      async handler({ query }, reply) {
        await checkMatch(query, store)
        const { team, wait = '0s', atLeast = 1, limit = mostItems } = query
        if (atLeast > limit) reject(`atLeast must not be above limit, which is ${limit}`)
        const milliseconds = readWait(wait)
        const lease = new Lease(reply)
        const read = (wanted: OutboxQuery) => {
          lease.end() // of the list before a change
          return listItems(wanted, lease, context)
        }
        const isFound = ({ length }: readonly OutboxItem[]) => length >= atLeast
        const items = await teams.changes.until(team, milliseconds, () => read(query), isFound)
        if (milliseconds === 0 || isFound(items)) return items
        const all = await read(team === undefined ? {} : { team })
        return teams.changes.refuseLate(
          `The outbox had ${items.length} of ${atLeast} such items after ${milliseconds} ms${describe(all)}`,
        )
      },
    }),

    releaseFromOutbox: route('POST /teams/:teamId/outbox/:itemId/release', 'Send now what waits to be sent', {
      description: 'It is sent before this is answered.',
      message: 'Sent',
      async handler({ params: { teamId, itemId } }) {
        if (!(await teams.transaction({ teamId }, (tx) => releasePart(itemId, tx))))
          throw new UnknownName('waiting item', itemId)
        await scheduler.runDue(teamId)
      },
    }),

    dropFromOutbox: route('DELETE /teams/:teamId/outbox/:itemId', 'Drop what waits to be sent', {
      message: 'Dropped',
      async handler({ params: { teamId, itemId } }) {
        if (!(await teams.transaction({ teamId }, (tx) => dropPart(itemId, tx))))
          throw new UnknownName('waiting item', itemId)
      },
    }),

    reportDelivery: route(
      'POST /teams/:teamId/outbox/:itemId/report',
      'Report that a sent message was delivered, read or bounced',
      {
        description: 'The history of the conversation shows it from then on, whatever `messageStatusLater` assumes.',
        body: DeliveryToReport,
        example: { status: 'delivered' },
        message: 'Delivery reported',
        async handler({ params: { teamId, itemId }, body: { status } }) {
          const reported = await teams.transaction({ teamId }, (tx) => reportDelivery(itemId, status, tx))
          if (reported === 'unknown') throw new UnknownName('message', itemId)
          if (reported === 'incoming') reject('only a message that was sent can be delivered, read or bounced')
        },
      },
    ),
  }
})

export const bulkSends = noun('bulk-sends', 'Bulk sends that wait to be released.', ({ store, teams, scheduler }) => ({
  releaseBulkSends: route('POST /bulk-sends/release', 'Send the bulk sends that wait', {
    description: 'Those of one team, or of all teams. They are sent before this is answered.',
    body: OneTeam,
    message: 'Bulk sends released',
    data: output('Released', { recipients: integer() }),
    async handler({ body: { teamId } }) {
      const released = teamId === undefined ? await store.teams() : [await findTeam(teamId, store)]
      let recipients = 0
      for await (const { _id } of inSteps(released, stepsOfTeam)) {
        const release = teams.transaction({ teamId: _id }, releaseBulkSends)
        recipients += (await release.catch(ignoreDeletedTeam)) ?? 0
      }
      // So that the messages can be read as soon as this is answered.
      await (teamId === undefined ? scheduler.runIfDue() : scheduler.runDue(teamId))
      return { recipients }
    },
  }),
}))

const IncomingToAdd = input('IncomingToAdd', {
  channel: Channel,
  from: text('An e-mail address (email, chat) or a phone number (sms, whatsapp, chat).', { maxLength: 320 }),
  content: text(undefined, { minLength: 1, maxLength: 100_000, 'x-form': 'a text of 1 to 100,000 characters' }),
  subject: optionalText('Of an e-mail.', { maxLength: 1000 }),
})
type IncomingToAdd = Static<typeof IncomingToAdd>

const Incoming = output('Incoming', {
  messageId: text(),
  conversationId: text(),
  contactId: text(),
  isNewContact: flag(),
  isNewConversation: flag(),
})

export const incoming = noun('incoming', 'What customers write.', ({ teams }) => ({
  addIncoming: route('POST /teams/:teamId/incoming', 'Let a customer write', {
    description:
      'The message is added to the conversation of the contact with this address. Contact and conversation are created when there are none, as by a send to the address.',
    body: IncomingToAdd,
    example: { channel: 'whatsapp', from: '+14155550123', content: 'Where is my order?' },
    status: 201,
    message: 'Message received',
    data: Incoming,
    async handler({ params: { teamId }, body }) {
      checkAddress(body)
      return teams.transaction({ teamId }, (tx) => receiveMessage(body, tx))
    },
  }),
}))

function checkAddress({ channel, from, subject }: IncomingToAdd): void {
  const isAddress = (channel !== 'email' && isPhoneNumber(from)) || (byEmail.includes(channel) && isEmailAddress(from))
  if (!isAddress)
    reject(`from must be an e-mail address (email, chat) or a phone number such as +14155550123 (sms, whatsapp, chat)`)
  if (subject !== undefined && channel !== 'email') reject('only an e-mail has a subject')
}

const byEmail: readonly string[] = ['email', 'chat']

/** How long a client wants to wait, in milliseconds. */
export function readWait(wait: string | number, field = 'wait'): number {
  const time = readDuration(/^\d+$/.test(String(wait)) ? Number(wait) : wait)
  if (time === undefined || time > 60_000) reject(`${field} must be from 0 to 60 seconds, such as 5s or 500ms`)
  return time
}

/** Such as `; its latest items: sms to +14155550123 (sent)`. */
function describe(items: readonly OutboxItem[]): string {
  const latest = items.slice(-3).map(({ channel, to: [to = 'nobody'], state }) => `${channel} to ${to} (${state})`)
  return latest.length === 0 ? '; it is empty' : `; its latest items: ${latest.join(', ')}`
}

async function listItems(
  { team, channel, to, state, limit = mostItems }: OutboxQuery,
  reader: Reader,
  { store, teams }: ControlContext,
): Promise<OutboxItem[]> {
  const wanted = { channel, to, state, limit }
  const ids = team === undefined ? (await store.teams()).map(({ _id }) => _id) : [team]
  let found: { item: OutboxItem; since: number }[] = []
  for await (const teamId of inSteps(ids, stepsOfTeam)) {
    const lease = new Lease(reader)
    const read = teams.read({ teamId }, (tx) => readOutbox(wanted, tx), undefined, lease)
    const items = (await read.catch(ignoreDeletedTeam)) ?? []
    // Items of one team keep their order, also when its clock was set back.
    let since = 0
    for (const item of items) {
      since = Math.max(since, item.at === undefined ? Infinity : Date.parse(item.at))
      found.push({ item: { ...item, to: [...item.to], team: teamId }, since })
    }
    found = found.toSorted((one, other) => one.since - other.since).slice(-limit)
    lease.end(found.filter(({ item }) => item.team === teamId).length / items.length)
  }
  return found.map(({ item }) => item)
}
