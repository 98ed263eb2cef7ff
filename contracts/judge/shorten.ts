import { fieldsOf } from '../client/answer.ts'
import type { StoryStep } from './steps.ts'

type Part = Pick<StoryStep, 'input' | 'beside'>

/** A finding at the last request of a story. */
interface Told<Step extends Part> {
  readonly story?: readonly Step[]
  /** The number of the request that set the expected value. */
  readonly setBy?: number
}

/**
 * Leaves out requests of a story while `again` still finds the same: first all that the others do not need, then fewer. It
 * sends at most so many requests, so that a server with many faults is not asked for hours.
 */
export async function shorten<Step extends Part, Found extends Told<Step>>(
  finding: Found & Told<Step>,
  again: (steps: readonly Step[]) => Promise<Found | undefined>,
  mostRequests: number,
): Promise<Found> {
  let [shortest, left]: [Found, number] = [finding, mostRequests]
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

/** Leaves out fields of bodies while `again` still finds the same, one after the other. */
export async function leaveOutFields<Step extends Part, Found extends Told<Step>>(
  finding: Found & Told<Step>,
  again: (steps: readonly Step[]) => Promise<Found | undefined>,
  mostRequests: number,
): Promise<Found> {
  let [shortest, left]: [Found, number] = [finding, mostRequests]
  const fields = (finding.story ?? []).flatMap(({ input }, at) =>
    Object.keys(fieldsOf(input.body)).map((field) => [at, field] as const),
  )
  for (const [at, field] of fields) {
    const steps = (shortest.story ?? []).map((step, index) => (index === at ? withoutField(step, field) : step))
    left -= steps.length
    if (left < 0) break
    const found = await again(steps)
    if (found?.story?.length === steps.length) shortest = found
  }
  return shortest
}

function withoutField<Step extends Part>(step: Step, field: string): Step {
  const { [field]: _, ...body } = fieldsOf(step.input.body)
  return { ...step, input: { ...step.input, body } }
}

const lengthOf = ({ story = [] }: Told<Part>) => story.length

/** The numbers of the requests that the last request does not need, nor the request that set the expected value. */
function openIn({ story = [], setBy = story.length }: Told<Part>): readonly number[] {
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
const sourcesOf = (step: Part | undefined): readonly number[] =>
  [...JSON.stringify(step?.input ?? {}).matchAll(/«from (\d+) /g)].map(([, n]) => Number(n))

/** The requests without these, and without those that need one of these. */
function without<Step extends Part>(story: readonly Step[] = [], numbers: readonly number[]): readonly Step[] {
  const isLeft = new Map<number, number>()
  const kept = story.filter((step, index) => {
    const isKept = !numbers.includes(index + 1) && sourcesOf(step).every((n) => isLeft.has(n))
    if (isKept) isLeft.set(index + 1, isLeft.size + 1)
    return isKept
  })
  const now = (n: string | number) => isLeft.get(Number(n)) ?? 0
  return kept.map((step) => ({
    ...step,
    input: JSON.parse(
      JSON.stringify(step.input).replaceAll(/«from (\d+) /g, (_, n: string) => `«from ${now(n)} `),
    ) as StoryStep['input'],
    ...(step.beside ? { beside: step.beside.map(now).filter((n) => n > 0) } : {}),
  }))
}
