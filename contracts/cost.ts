import { pluralize } from '../lib/text.ts'
import { operations } from '../spec/operations.ts'
import { type PromiseEntry, promises, type PromiseGroup } from '../spec/promises.ts'
import type { Effect } from '../spec/types.ts'
import type { Stories } from './checks/keeps.ts'
import { storiesOf } from './situations/about.ts'
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
  read: [15, 0, 3, 0, 2, 6, 0, 0, 0, 0, 0, 18],
  write: [328, 85, 56, 78, 48, 8, 218, 56, 90, 64, 109, 831],
  platform: [391, 96, 64, 77, 50, 187, 215, 55, 89, 63, 107, 1079],
  send: [498, 107, 76, 76, 336, 184, 211, 54, 88, 62, 106, 1443],
}

export const columns = measured.split(' ') as (PromiseGroup | 'situations')[]

/** The stories of all situations. */
export const storiesOfAll = 68

/** Each takes about as many requests as another. */
const kindsOfStories = new Set(Object.values(storiesOf).flat()).size

/** Describes the requests and the time of a run. A missing credential or provider makes the run shorter. */
export function describeCost(
  { upTo, rate, concurrency, loopback }: Pick<Target, 'upTo' | 'rate' | 'concurrency' | 'loopback'>,
  selection: Selection,
  stories?: Pick<Stories, 'which' | 'most'>,
): string {
  const shareOf = (some: readonly PromiseEntry[]) =>
    some.filter((one) => isSelected(one, selection)).length / some.length
  const requests = requestsOfRuns[upTo]
  const ofAllStories = requests.at(-1) ?? 0
  const chosen = promises.filter((one) => isSelected(one, selection))
  const isWhole = chosen.length === promises.length
  // The stories run only for promises without a check, and only the checks know which these are.
  const isMost = loopback && !isWhole && stories?.which === 'unchecked'
  const ofStories = {
    all: ofAllStories * Math.min(1, (stories?.most ?? storiesOfAll) / storiesOfAll),
    // Beyond this machine, each operation is tried once.
    unchecked: loopback
      ? (ofAllStories * Math.max(1, new Set(chosen.flatMap(({ group }) => storiesOf[group])).size)) / kindsOfStories
      : 2 * Object.values(operations).filter(({ effect }) => isWithin(effect, upTo)).length,
  }
  const all = columns.reduce(
    (sum, column, at) =>
      column === 'situations'
        ? sum
        : sum + (requests[at] ?? 0) * shareOf(promises.filter(({ group }) => group === column)),
    stories ? ofStories[stories.which] : 0,
  )
  const others = isWhole && stories?.which !== 'all' ? ` --situations pairs adds about ${inWords(ofAllStories)}.` : ''
  const pace = Number.isFinite(rate)
    ? `: ${[...new Set([rate, 20])]
        .filter((one) => one >= rate)
        .map((one) => `${timeFor(all / one)} at ${one} a second`)
        .join(', ')} (--rate)`
    : `, ${concurrency} at a time (--concurrency)`
  return `${isMost ? 'At most about' : 'About'} ${inWords(all)} requests${pace}.${others}`
}

/** With two significant digits. */
function inWords(count: number): string {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(count, 1))) - 1)
  return (Math.round(count / unit) * unit).toLocaleString('en')
}

const timeFor = (seconds: number) =>
  seconds < 60 ? pluralize(Math.ceil(seconds), 'second') : pluralize(Math.round(seconds / 60), 'minute')
