import type { Finding } from './outcome.ts'
import type { StoryStep } from './steps.ts'

/** The most requests that one story may take, so that a server with many faults is not asked for hours. */
const mostRequests = 30

/** Leaves out requests of a story while `again` still finds the same: first all that the others do not need, then fewer. */
export async function shorten(
  finding: Finding,
  again: (steps: readonly StoryStep[]) => Promise<Finding | undefined>,
): Promise<Finding> {
  let [shortest, left] = [finding, mostRequests]
  let size = openIn(shortest).length
  for (let at = 0; size > 0;) {
    const open = openIn(shortest).slice(at, at + size)
    if (open.length === 0) {
      ;[size, at] = [Math.floor(size / 2), 0]
      continue
    }
    const steps = without(shortest.story, open)
    if (steps.length > left) break
    left -= steps.length
    const found = await again(steps)
    if (found?.story && found.story.length < lengthOf(shortest)) shortest = found
    else at += size
  }
  return shortest
}

const lengthOf = ({ story = [] }: Finding) => story.length

/** The numbers of the requests that the last request does not need, nor the request that set the expected value. */
function openIn({ story = [], setBy = story.length }: Finding): readonly number[] {
  const needed = new Set<number>()
  const need = (n: number) => {
    if (needed.has(n)) return
    needed.add(n)
    for (const other of sourcesOf(story[n - 1])) need(other)
  }
  need(story.length)
  need(setBy)
  return story.flatMap((_, index) => (needed.has(index + 1) ? [] : [index + 1]))
}

/** The numbers of the earlier requests that a request takes ids from. */
const sourcesOf = (step: StoryStep | undefined): readonly number[] =>
  [...JSON.stringify(step?.input ?? {}).matchAll(/«from (\d+) /g)].map(([, n]) => Number(n))

/** The requests without these, and without those that need one of these. */
function without(story: readonly StoryStep[] = [], numbers: readonly number[]): readonly StoryStep[] {
  const isLeft = new Map<number, number>()
  const kept = story.filter((step, index) => {
    const isKept = !numbers.includes(index + 1) && sourcesOf(step).every((n) => isLeft.has(n))
    if (isKept) isLeft.set(index + 1, isLeft.size + 1)
    return isKept
  })
  const now = (n: string | number) => isLeft.get(Number(n)) ?? 0
  return kept.map(({ input, beside, ...step }) => ({
    ...step,
    input: JSON.parse(
      JSON.stringify(input).replaceAll(/«from (\d+) /g, (_, n: string) => `«from ${now(n)} `),
    ) as StoryStep['input'],
    ...(beside ? { beside: beside.map(now).filter((n) => n > 0) } : {}),
  }))
}
