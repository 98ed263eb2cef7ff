import { contactParameters, contactStory } from './contacts.ts'
import { messageParameters, messageStory } from './messages.ts'
import { drawsOf, pairsOf } from './pairs.ts'
import { recordParameters, recordStory } from './records.ts'
import { refusalStory, refusing } from './refusals.ts'
import type { Story } from '../../judge/story.ts'
import { templateParameters, templateStory } from './templates.ts'

/** A story with the kind of its records. */
interface Situation {
  readonly about: 'refusals' | 'contacts' | 'records' | 'templates' | 'messages'
  readonly story: Story
}

/** Short stories in which each two values of the parameters of a situation meet, the same for the same seed. */
export function situations(seed: number): readonly Situation[] {
  const draw = drawsOf(seed)
  const stories = {
    refusals: refusing.map(refusalStory),
    contacts: pairsOf(contactParameters, draw).map(contactStory),
    records: pairsOf(recordParameters, draw).map(recordStory),
    templates: pairsOf(templateParameters, draw).map(templateStory),
    messages: pairsOf(messageParameters, draw).map(messageStory),
  }
  return Object.entries(stories).flatMap(([about, some]) =>
    some.map((story) => ({ about: about as Situation['about'], story })),
  )
}
