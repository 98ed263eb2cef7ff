import type { Answer } from '../client/answer.ts'
import { NotAllowed, StepFailed } from '../client/errors.ts'
import type { Input } from '../client/request.ts'
import { fillIn, makers, valueAt } from '../client/steps.ts'
import { newSubjects, type Subjects, type Tools } from '../client/tools.ts'
import type { OperationId } from '../../spec/types.ts'
import type { StoryStep } from './steps.ts'

/** A short series of requests on new records. It asserts nothing: the laws judge its exchanges. */
export type Story = (tools: StoryTools) => Promise<void>

/** Stories go on after a refusal, since a server may refuse what the specification leaves open. */
export interface StoryTools extends Omit<Tools, 'ask' | 'make'> {
  /** The answer, or nothing where the run may not send the request or got no answer. */
  readonly attempt: <Id extends OperationId>(operation: Id, input?: Input) => Promise<Answer<Id> | undefined>
  /** Records for the requests of each operation. */
  readonly subjects: Subjects
}

export function storyTools(tools: Tools): StoryTools {
  return {
    ...tools,
    subjects: newSubjects(tools),
    attempt: async (operation, input) => {
      try {
        return await tools.call(operation, input)
      } catch (error) {
        const isEnd = error instanceof NotAllowed && error.because === 'ended'
        if (isEnd || !(error instanceof StepFailed || error instanceof NotAllowed)) throw error
        return undefined
      }
    },
  }
}

/** Repeats the requests of a finding with new names and ids. Requests that were simultaneous are simultaneous again. */
export const storyFrom =
  (steps: readonly Pick<StoryStep, 'operation' | 'input' | 'beside'>[]): Story =>
  async ({ attempt, mint }) => {
    const bodies = new Map<number, unknown>()
    const values = new Map<string, unknown>()
    const make = (name: string) => {
      const [kind = '', n, ...path] = name.split(' ')
      if (kind === 'from') return valueAt(bodies.get(Number(n)), path.join(' ')) ?? mint.unknownId()
      return makers[kind in makers ? (kind as keyof typeof makers) : 'unknown'](mint)
    }
    const valueOf = (name: string) => {
      if (!values.has(name)) values.set(name, make(name))
      return values.get(name)
    }
    const send = async ({ operation, input }: (typeof steps)[number], n: number) =>
      bodies.set(n, (await attempt(operation, fillIn(input, valueOf)))?.body)
    for (let next = 0; next < steps.length;) {
      const together = steps.slice(next).findIndex((step, at) => at > 0 && step.beside?.includes(next + at) !== true)
      const end = together === -1 ? steps.length : next + together
      await Promise.all(steps.slice(next, end).map((step, at) => send(step, next + at + 1)))
      next = end
    }
  }
