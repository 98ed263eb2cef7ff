import type { OperationId } from '../../../spec/types.ts'
import type { Change, Exchanged, Json } from './go-between.ts'

/** A server that is wrong in one thing. */
export type Deviant = () => Change

export const isGood = ({ answer }: Exchanged) => answer.status < 300

/** Changes the data of good answers of some operations. */
export const data =
  (operations: readonly OperationId[], change: (data: Json, exchanged: Exchanged) => void): Deviant =>
  () =>
  (exchanged) => {
    if (operations.includes(exchanged.operation) && isGood(exchanged) && exchanged.answer.body.data)
      change(exchanged.answer.body.data as Json, exchanged)
  }

/** Changes the responses about records after an event. */
export const after =
  (happens: (exchanged: Exchanged) => string | undefined, change: (data: Json) => void): Deviant =>
  () => {
    const concerned = new Set<string>()
    return (exchanged) => {
      const told = exchanged.answer.body.data
      if (isGood(exchanged) && concerned.has(told?._id)) change(told)
      const id = isGood(exchanged) ? happens(exchanged) : undefined
      if (id !== undefined) concerned.add(id)
    }
  }

export const refusal = (status: number, message: string) => ({ status, body: { success: false, message } })
