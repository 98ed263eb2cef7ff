import type { OutboxControl, OutboxQuery } from '../../control/outbox.ts'
import type { ControlSchemas } from '../../control/types.ts'
import { dropPart, releasePart } from '../rules/messages/bulk-delivery.ts'
import { reportDelivery } from '../rules/messages/message-delivery.ts'
import { type OutboxItem, readOutbox } from '../rules/messages/outbox.ts'
import { foldedAddress } from '../store/indexes.ts'
import { checkBody, checkQuery } from './check.ts'
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
      const query = { ...of }
      checkQuery('listOutbox', query)
      await checkMatch(query, store)
      const { wait = '0s', atLeast = 1 } = query
      return changes.until(
        () => list(query, context),
        (items) => items.length >= atLeast,
        readWait(wait),
      )
    },

    async release(teamId, itemId) {
      if (!(await turnOfTeam(teamId, context, (turn) => releasePart(itemId, turn)))) throw new NotFound()
      await catchUp(teamId)
    },

    async drop(teamId, itemId) {
      if (!(await turnOfTeam(teamId, context, (turn) => dropPart(itemId, turn)))) throw new NotFound()
    },

    async report(teamId, messageId, delivery) {
      checkBody('reportDelivery', delivery)
      const reported = await turnOfTeam(teamId, context, (turn) => reportDelivery(messageId, delivery.status, turn))
      if (reported === 'unknown') throw new NotFound()
      if (reported === 'incoming') refuse('only a message that was sent can be delivered, read or bounced')
    },
  }
}

async function list({ team, channel, to, state, limit = 100 }: OutboxQuery, { store, teams }: ControlContext) {
  const found: Shown[] = []
  for (const inWorld of (await store.world()).teams) {
    const { _id: teamId } = inWorld
    if (team !== undefined && team !== teamId) continue
    const items = await teams.read({ teamId }, (turn) => readOutbox(inWorld, { channel, state }, turn))
    found.push(...items.map((item) => ({ ...item, team: teamId })))
  }
  return found.filter((item) => to === undefined || isTo(item, to)).slice(-limit)
}

const isTo = ({ to: addresses }: OutboxItem, to: string) =>
  addresses.some((address) => foldedAddress(address) === foldedAddress(to))
