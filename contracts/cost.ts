import { pluralize } from '../lib/text.ts'
import { operations } from '../spec/operations.ts'
import { type PromiseEntry, promises, type PromiseGroup } from '../spec/promises.ts'
import type { Effect } from '../spec/types.ts'
import type { Stories } from './checks/keeps.ts'
import { isWithin, type Target } from './client/target/target.ts'
import { isSelected, type Selection } from './selection.ts'

const measured =
  'access envelope errors conversations messages templates contacts companies products deals quotes situations'

/**
 * The requests of a whole run against a sandbox, by the most that it may do: of the checks of each group, and of the stories
 * of all situations, with their share of the deletes. A test compares them with such runs, and prints the new row where they
 * differ.
 */
export const requestsOfRuns: Readonly<Record<Effect, readonly number[]>> = {
  read: [35, 0, 9, 0, 2, 7, 0, 0, 0, 0, 0, 57],
  write: [744, 144, 114, 137, 111, 10, 280, 120, 140, 149, 187, 1657],
  platform: [865, 162, 127, 133, 111, 468, 272, 116, 136, 145, 182, 2149],
  send: [1137, 193, 144, 134, 524, 471, 292, 117, 137, 146, 183, 2960],
}

export const columns = measured.split(' ') as (PromiseGroup | 'situations')[]

/** The stories of all situations. */
export const storiesOfAll = 152

/** What a run will cost, in a sentence or two. Checks that need a credential or a provider that is missing cost less. */
export function describeCost(
  { upTo, rate, concurrency, loopback }: Pick<Target, 'upTo' | 'rate' | 'concurrency' | 'loopback'>,
  selection: Selection,
  stories?: Pick<Stories, 'which' | 'most'>,
): string {
  const shareOf = (some: readonly PromiseEntry[]) =>
    some.filter((one) => isSelected(one, selection)).length / some.length
  const requests = requestsOfRuns[upTo]
  const ofAllStories = requests.at(-1) ?? 0
  const ofStories = {
    all: ofAllStories * Math.min(1, (stories?.most ?? storiesOfAll) / storiesOfAll),
    // Beyond this machine, each operation is tried once.
    unchecked: loopback
      ? ofAllStories * shareOf(promises)
      : 2 * Object.values(operations).filter(({ effect }) => isWithin(effect, upTo)).length,
  }
  const all = columns.reduce(
    (sum, column, at) =>
      column === 'situations'
        ? sum
        : sum + (requests[at] ?? 0) * shareOf(promises.filter(({ group }) => group === column)),
    stories ? ofStories[stories.which] : 0,
  )
  const isWhole = promises.every((one) => isSelected(one, selection))
  const others = isWhole && stories?.which !== 'all' ? ` --situations pairs adds about ${inWords(ofAllStories)}.` : ''
  const pace = Number.isFinite(rate)
    ? `: ${[...new Set([rate, 20])]
        .filter((one) => one >= rate)
        .map((one) => `${timeFor(all / one)} at ${one} a second`)
        .join(', ')} (--rate)`
    : `, ${concurrency} at a time (--concurrency)`
  return `About ${inWords(all)} requests${pace}.${others}`
}

/** With two significant digits. */
function inWords(count: number): string {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(count, 1))) - 1)
  return (Math.round(count / unit) * unit).toLocaleString('en')
}

const timeFor = (seconds: number) =>
  seconds < 60 ? pluralize(Math.ceil(seconds), 'second') : pluralize(Math.round(seconds / 60), 'minute')
