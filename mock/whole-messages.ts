import type { BulkSend, BulkText } from '../fixtures/records.ts'
import type { TeamInWorld, World } from '../fixtures/world.ts'
import { completeMessage } from './rules/messages/bulk-texts.ts'

/** The world with every message and every queued part whole, as people expect to read them. */
export function withWholeMessages(world: World): World {
  return { teams: world.teams.map((team) => (team.bulkTexts ? withoutTexts(team, team.bulkTexts) : team)) }
}

function withoutTexts({ bulkTexts, ...team }: TeamInWorld, texts: readonly BulkText[]): TeamInWorld {
  const known = new Map(texts.map((text) => [text._id, text]))
  const { messages = [], bulkSends = [] } = team
  return {
    ...team,
    ...(messages.length > 0
      ? { messages: messages.map((one) => completeMessage(one, known.get(one.textId ?? ''))) }
      : {}),
    ...(bulkSends.length > 0 ? { bulkSends: bulkSends.map((one) => completePart(one, known)) } : {}),
  }
}

function completePart(part: BulkSend, known: ReadonlyMap<string, BulkText>): BulkSend {
  const { textId = '', ...own } = part
  const text = known.get(textId)
  return text ? { ...own, ...text, _id: own._id } : part
}
