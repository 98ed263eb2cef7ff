import fc from 'fast-check'
import { contactActs, contactOpenings, contactReads, contactRemovals } from './contacts.ts'
import { messageActs, readHistory } from './messages.ts'
import { recordStories } from './records.ts'
import { scripts } from './scripts.ts'
import { type Act, type Kind, type Scene, Story } from './story.ts'
import { templateStories } from './templates.ts'
import { plain, twist } from './twists.ts'

const kinds: readonly Kind[] = [
  ...recordStories,
  ...contactOpenings.flatMap((opening) => {
    const [reads, removals] = [[...contactReads, readHistory], contactRemovals]
    const writing = [...messageActs, ...messageActs, ...messageActs, ...contactActs]
    return [
      { weight: 3, opening, acts: contactActs, reads, removals },
      { weight: 4, opening, acts: writing, reads: [...reads, readHistory, readHistory], removals },
    ]
  }),
  ...templateStories,
]

const repeat = fc.nat({ max: 3 }).map(
  (back): Act =>
    (scene: Scene) =>
      scene.repeat(back),
)

/** More requests would hide the cause of a difference. */
const mostActs = 9

const commands = kinds.flatMap(({ weight, opening, acts, reads, readsInPercent = 50, removals }) => {
  const read = fc.oneof(
    { weight: 100 - readsInPercent, arbitrary: fc.constant(null) },
    { weight: readsInPercent, arbitrary: fc.constantFrom(...reads) },
  )
  const act = fc.tuple(fc.oneof(...acts, { weight: 3, arbitrary: repeat }), twist, read)
  const removal = fc.tuple(fc.constantFrom(...removals), fc.constant(plain), fc.constantFrom(...reads))
  const ending = fc.option(fc.tuple(removal, fc.constantFrom(...reads)), { freq: 2 })
  const story = fc
    .tuple(opening, fc.array(act, { maxLength: mostActs, size: 'max' }), ending)
    .map((parts) => new Story({ kind: 'random', oneIn: 5 }, ...parts))
  return Array<typeof story>(weight).fill(story)
})

/** Four fifths of the stories are scripts, each with the same share. */
const scripted = scripts.flatMap((script, at) => {
  const story = script(scripts.length * 1.25, at)
  return [story, story, story]
})

/** How many simpler lists of commands are tried after a difference. */
const mostShrinks = 200

/** A random list of model commands. Many do not run, since enough stories of their kind have run. */
export const randomCommands = fc.limitShrink(
  fc.commands([...commands, ...scripted], { maxCommands: 200, size: 'max', disableReplayLog: true }),
  mostShrinks,
)
