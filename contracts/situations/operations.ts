import { NotAllowed, StepFailed } from '../client/errors.ts'
import { affordable, rows, spoil } from '../client/operations.ts'
import { unknownSubjects } from '../client/tools.ts'
import { operations } from '../../spec/operations.ts'
import type { OperationId } from '../../spec/types.ts'
import type { Story, StoryTools } from '../judge/story.ts'

/** Refusals of each operation, to a caller without a credential and of a wrong request, and a success. */
export const eachOperation =
  (isAsked: (operation: OperationId) => boolean): Story =>
  async (tools) => {
    const asked = affordable(tools, 'all').filter(isAsked)
    const unknown = unknownSubjects(tools)
    for (const operation of asked)
      await tryTo(async () => {
        const wrong = await rows[operation].request(unknown, tools)
        await tools.attempt(operation, { ...wrong, caller: 'nobody' })
        if (namesRecord(operation)) await tools.attempt(operation, wrong)
        const right = await rows[operation].request(tools.subjects, tools)
        await tools.attempt(operation, spoil(right))
        await tools.attempt(operation, right)
      })
    // The requests before deleted the records, and a server may take a made-up id for a malformed one.
    for (const operation of asked) if (namesRecord(operation)) await tryTo(() => askFor(operation, tools))
  }

const namesRecord = (operation: OperationId) => operations[operation].path.includes('{')

const askFor = async (operation: OperationId, tools: StoryTools) =>
  tools.attempt(operation, await rows[operation].request(tools.subjects, tools))

/** The run may not make a record that a request needs, or has no provider. */
async function tryTo(act: () => Promise<unknown>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof StepFailed) && !(error instanceof NotAllowed && error.because !== 'ended')) throw error
  }
}
