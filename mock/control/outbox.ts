import { type Static, Type } from 'typebox'
import { readDuration } from '../../shared/time.ts'
import { dropPart, releasePart } from '../rules/messages/bulk-delivery.ts'
import { readOutbox, reportDelivery } from '../rules/messages/outbox.ts'
import { type ControlContext, ignoreDeletedTeam } from './context.ts'
import { checkMatch } from './match.ts'
import { NotFound, refuse } from './refusals.ts'
import { noun, route } from './route.ts'
import {
  Channel,
  input,
  listOf,
  moment,
  optionalInteger,
  optionalText,
  output,
  queryOf,
  text,
  texts,
} from './schemas.ts'

const OutboxState = Type.Enum(['sent', 'queued', 'scheduled', 'held'], {
  title: 'OutboxState',
  description:
    'Sent; due, and sent in a moment; scheduled for later; or held until it is released (`bulkDelivery=onRelease`).',
})

const OutboxQuery = queryOf({
  team: optionalText('The id of a team; all teams by default.'),
  channel: Type.Optional(Channel),
  to: optionalText('A phone number or an e-mail address.', { minLength: 1 }),
  state: Type.Optional(OutboxState),
  limit: optionalInteger(1, 1000, 'Only the latest of them; 100 by default.'),
  wait: optionalText('How long to wait until there are as many as `atLeast`, such as `5s`; not at all by default.'),
  atLeast: optionalInteger(1, 1000, 'How many to wait for; one by default.'),
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
  const { store, teams, runDue, changes } = context
  return {
    listOutbox: route('GET /outbox', 'List what was sent and what waits to be sent', {
      description:
        'The oldest first. It is read from the records of the teams, so what is deleted there is not in it either. With `wait`, it is answered as soon as there are enough, or with what there is when the time is over.',
      query: OutboxQuery,
      message: 'Outbox found',
      data: listOf(OutboxItem),
      async handler({ query }) {
        await checkMatch(query, store)
        const { wait = '0s', atLeast = 1 } = query
        const read = () => listItems(query, context)
        return changes.until(query.team, readWait(wait), read, ({ length }) => length >= atLeast)
      },
    }),

    releaseFromOutbox: route('POST /teams/:teamId/outbox/:itemId/release', 'Send now what waits to be sent', {
      description: 'It is sent before this is answered.',
      message: 'Sent',
      async handler({ params: { teamId, itemId } }) {
        if (!(await teams.transaction({ teamId }, (tx) => releasePart(itemId, tx)))) throw new NotFound()
        await runDue(teamId)
      },
    }),

    dropFromOutbox: route('DELETE /teams/:teamId/outbox/:itemId', 'Drop what waits to be sent', {
      message: 'Dropped',
      async handler({ params: { teamId, itemId } }) {
        if (!(await teams.transaction({ teamId }, (tx) => dropPart(itemId, tx)))) throw new NotFound()
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
          if (reported === 'unknown') throw new NotFound()
          if (reported === 'incoming') refuse('only a message that was sent can be delivered, read or bounced')
        },
      },
    ),
  }
})

/** How long a client wants to wait, in milliseconds. */
export function readWait(wait: string | number, field = 'wait'): number {
  const time = readDuration(/^\d+$/.test(String(wait)) ? Number(wait) : wait)
  if (time === undefined || time > 60_000) refuse(`${field} must be from 0 to 60 seconds, such as 5s or 500ms`)
  return time
}

async function listItems(
  { team, channel, to, state, limit = 100 }: OutboxQuery,
  { store, teams }: ControlContext,
): Promise<OutboxItem[]> {
  const wanted = { channel, to, state, limit }
  const ids = team === undefined ? (await store.teams()).map(({ _id }) => _id) : [team]
  const found: { item: OutboxItem; since: number }[] = []
  for (const teamId of ids) {
    const items = (await teams.read({ teamId }, (tx) => readOutbox(wanted, tx)).catch(ignoreDeletedTeam)) ?? []
    // Items of one team keep their order, also when its clock was set back.
    let since = 0
    for (const item of items) {
      since = Math.max(since, item.at === undefined ? Infinity : Date.parse(item.at))
      found.push({ item: { ...item, to: [...item.to], team: teamId }, since })
    }
  }
  return found
    .toSorted((one, other) => one.since - other.since)
    .map(({ item }) => item)
    .slice(-limit)
}
