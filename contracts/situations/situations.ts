import { type About, storiesOf } from './about.ts'
import { contactParameters, contactStory } from './contacts.ts'
import { messageParameters, messageStory } from './messages.ts'
import { eachOperation } from './operations.ts'
import { drawsOf, pairsOf } from './pairs.ts'
import { recordParameters, recordStory } from './records.ts'
import { refusalStories, unusualRequests } from './refusals.ts'
import type { PromiseEntry } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import type { Target } from '../client/target/target.ts'
import type { Story } from '../judge/story.ts'
import { templateParameters, templateStory } from './templates.ts'

interface Situation {
  readonly about: About
  readonly story: Story
}

/** `verify` runs a story only for at least so many new pairs. */
const fewestPairs = 25

/** Short stories in which most pairs of values of the parameters of a situation meet, the same for the same seed. */
export function situations(seed: number, fewest = fewestPairs): readonly Situation[] {
  const draw = drawsOf(seed)
  const stories = {
    operations: [eachOperation(() => true)],
    refusals: [...refusalStories(() => true), unusualRequests],
    contacts: pairsOf(contactParameters, draw, fewest).map(contactStory),
    records: pairsOf(recordParameters, draw, fewest).map(recordStory),
    templates: pairsOf(templateParameters, draw, fewest).map(templateStory),
    messages: pairsOf(messageParameters, draw, fewest).map(messageStory),
  }
  return Object.entries(stories).flatMap(([about, some]) => some.map((story) => ({ about: about as About, story })))
}

/** The stories in which the laws judge these promises. On another machine each operation is tried, and no more. */
export function storiesAbout(
  some: readonly PromiseEntry[],
  seed: number,
  { loopback }: Pick<Target, 'loopback'>,
): readonly Story[] {
  if (some.length === 0) return []
  const isAsked = (id: OperationId, of = some) =>
    of.some(({ operations }) => operations === 'all' || operations.includes(id))
  if (!loopback) return [eachOperation((id) => isAsked(id))]
  const refused = some.filter(({ kind = '' }) => ['missing', 'unlisted', 'value'].includes(kind))
  const about = new Set(some.flatMap((one) => (refused.includes(one) ? [] : storiesOf[one.group])))
  return [
    eachOperation((id) => isAsked(id)),
    ...refusalStories((id) => isAsked(id, refused)),
    ...situations(seed).flatMap((one) => (about.has(one.about) ? [one.story] : [])),
  ]
}
