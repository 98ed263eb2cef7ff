import { NotAllowed, StepFailed } from '../../client/errors.ts'
import { rows } from '../../client/operations/index.ts'
import type { Input } from '../../client/request.ts'
import { newSubjects, type Subjects, unknownSubjects } from '../../client/subjects.ts'
import type { Tools } from '../../client/tools.ts'
import { operations } from '../../spec/operations.ts'
import type { OperationId } from '../../spec/types.ts'

/** Makes a server speak: each operation succeeds, and is refused for each reason that a message may name. */
export async function promptEach(tools: Tools): Promise<void> {
  const { target } = tools
  const known = newSubjects(tools)
  const unknown = unknownSubjects(tools)
  const all = Object.keys(rows) as OperationId[]
  // Elsewhere a run may send only a few messages.
  for (const id of all.filter((one) => target.loopback || operations[one].effect !== 'send')) {
    const sent = await attempt(() => requestOf(id, known, tools))
    for (const spoiled of sent ? spoil(id, sent) : []) await attempt(() => tools.call(id, spoiled))
    if (operations[id].path.includes('{')) {
      const about = await attempt(() => requestOf(id, unknown, tools))
      if (about) await attempt(() => tools.call(id, about))
    }
    if (sent) await attempt(() => tools.call(id, sent))
  }
}

const requestOf = async (id: OperationId, subjects: Subjects, tools: Tools): Promise<Input> =>
  rows[id].request(subjects, tools)

/** The request without a required field, with one that is not listed, and with values of another type. */
function spoil(id: OperationId, { body, ...rest }: Input): Input[] {
  if (typeof body !== 'object' || body === null) return []
  const shape = operations[id].body('application/json')
  const fields = Object.entries(body)
  const without = (name: string) => Object.fromEntries(fields.filter(([other]) => other !== name))
  const required = fields.map(([name]) => name).filter((name) => shape?.complaint(without(name))?.field === name)
  const missing = required.slice(0, 2).map(without)
  const wrong = fields
    .slice(0, 3)
    .map(([name, value]) => ({ ...body, [name]: typeof value === 'string' ? {} : 'many' }))
  return [...missing, ...wrong, { ...body, pigeon: 'grey' }].map((one) => ({ ...rest, body: one }))
}

/** A request that is not allowed, or not answered, says nothing. */
async function attempt<Value>(act: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof NotAllowed || error instanceof StepFailed) return undefined
    throw error
  }
}
