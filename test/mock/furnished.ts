import type { WrittenChoices } from '../../spec/choices.ts'
import { operations, type OperationId } from '../../spec/operations.ts'
import { furnished, targetOf } from './asks.ts'
import { openSandbox } from './harness.ts'

/** A sandbox with the records of the and a function that sends it bytes under any content type. */
export async function openFurnished(assume: WrittenChoices = {}) {
  const { sandbox, call } = await openSandbox({ world: furnished, assume })
  const send = async (id: OperationId, body: string | Uint8Array, headers: Record<string, string> = {}) => {
    const answer = await sandbox.fetch(targetOf(id), {
      method: operations[id].method.toUpperCase(),
      headers: { 'x-api-key': 'acme-key', ...headers },
      body: new Uint8Array(Buffer.from(body)),
    })
    return {
      status: answer.status,
      body: (await answer.json()) as { success: boolean; message: string; data: Record<string, unknown> },
      assumed: answer.headers.get('x-sandbox-assumed')?.split(', ') ?? [],
    }
  }
  const sendJson = (id: OperationId, body: string | Uint8Array) =>
    send(id, body, { 'content-type': 'application/json' })
  return { sandbox, call, send, sendJson }
}
