import type { OutboxControl, OutboxQuery } from '../../control/outbox.ts'
import type { ControlSchemas } from '../../control/types.ts'
import { dropPart, releasePart } from '../rules/messages/bulk-delivery.ts'
import { reportDelivery } from '../rules/messages/message-delivery.ts'
import { type OutboxItem, readOutbox } from '../rules/messages/outbox.ts'
import { NoSuchTeam } from '../store/port.ts'
import { checkBody, checkNames, readQuery } from './check.ts'
import type { ControlContext } from './context.ts'
import { checkMatch } from './match.ts'
import { NotFound, refuse } from './refusals.ts'
import { turnOfTeam } from './turn-of-team.ts'
import { readWait } from './wait.ts'

type Shown = ControlSchemas['OutboxItem']

export function outboxIn(context: ControlContext): OutboxControl {
  const { store, catchUp, changes } = context
  return {
    async list(of = {}) {
      const query = readQuery('listOutbox', of)
      await checkMatch(query, store)
      const { wait = '0s', atLeast = 1 } = query
      return changes.until(
        () => list(query, context),
        (items) => items.length >= atLeast,
        readWait(wait),
      )
    },

    async release(teamId, itemId) {
      checkNames(itemId)
      if (!(await turnOfTeam(teamId, context, (turn) => releasePart(itemId, turn)))) throw new NotFound()
      await catchUp(teamId)
    },

    async drop(teamId, itemId) {
      checkNames(itemId)
      if (!(await turnOfTeam(teamId, context, (turn) => dropPart(itemId, turn)))) throw new NotFound()
    },

    async report(teamId, messageId, delivery) {
      checkBody('reportDelivery', delivery)
      checkNames(messageId)
      const reported = await turnOfTeam(teamId, context, (turn) => reportDelivery(messageId, delivery.status, turn))
      if (reported === 'unknown') throw new NotFound()
      if (reported === 'incoming') refuse('only a message that was sent can be delivered, read or bounced')
    },
  }
}

async function list({ team, channel, to, state, limit = 100 }: OutboxQuery, { store, teams }: ControlContext) {
  const wanted = { channel, to, state, limit }
  const ids = team === undefined ? (await store.teams()).map(({ _id }) => _id) : [team]
  const found: Timed[] = []
  for (const teamId of ids) {
    const items = await teams.read({ teamId }, (turn) => readOutbox(wanted, turn)).catch(noneOfDeleted)
    found.push(...withTimes(items.map((item) => ({ ...item, team: teamId }))))
  }
  return found
    .toSorted((one, other) => one.since - other.since)
    .map(({ item }) => item)
    .slice(-limit)
}

interface Timed {
  readonly item: Shown
  readonly since: number
}

/** In which order items of several teams are told. Those of one team stay in theirs, also when its clock was set back. */
function withTimes(items: readonly Shown[]): Timed[] {
  let since = 0
  return items.map((item) => {
    since = Math.max(since, item.at === undefined ? Infinity : Date.parse(item.at))
    return { item, since }
  })
}

/** A team that was deleted meanwhile has sent nothing. */
function noneOfDeleted(error: unknown): readonly OutboxItem[] {
  if (error instanceof NoSuchTeam) return []
  throw error
}
