import type { Answer } from '../client/answer.ts'
import { NotAllowed, StepFailed } from '../client/errors.ts'
import type { Input } from '../client/request.ts'
import type { Tools } from '../client/tools.ts'
import type { OperationId } from '../../spec/types.ts'

/** A short series of requests on records of its own. It asserts nothing: the laws judge its exchanges. */
export type Story = (tools: StoryTools) => Promise<void>

/** Stories go on after a refusal, since a server may refuse what the specification leaves open. */
export interface StoryTools extends Omit<Tools, 'ask' | 'make'> {
  /** The answer, or nothing where the run may not send the request or got no answer. */
  readonly attempt: <Id extends OperationId>(operation: Id, input?: Input) => Promise<Answer<Id> | undefined>
}

export function storyTools(tools: Tools): StoryTools {
  return {
    ...tools,
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
