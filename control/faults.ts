import type { OperationId } from '../spec/types.ts'
import type { Ask } from './ask.ts'
import type { ControlBody, ControlSchemas } from './types.ts'

/** Requests that fail, wait or lose their answer. */
export interface FaultsControl {
  /** Applies to requests that come from now on, until it is used up, deleted or reset. */
  add(fault: FaultToAdd): Promise<Fault>
  list(): Promise<readonly Fault[]>
  get(faultId: string): Promise<Fault>
  delete(faultId: string): Promise<void>
  /** Deletes all faults. */
  clear(): Promise<void>
}

export type FaultToAdd = OnOperations<ControlBody<'addFault'>>

/** As it was added, and how often it applied. */
export type Fault = ControlSchemas['Fault'] & FaultToAdd

/** With the names of operations, which the document of the service knows. */
export type OnOperations<Match extends { operation?: unknown }> = Omit<Match, 'operation'> & {
  readonly operation?: OperationId | readonly OperationId[]
}

export const faultsOver = (ask: Ask): FaultsControl => ({
  add: (fault) => ask('addFault', { body: fault as ControlBody<'addFault'> }),
  list: () => ask('listFaults'),
  get: (faultId) => ask('getFault', { path: { faultId } }),
  delete: (faultId) => ask('deleteFault', { path: { faultId } }),
  clear: () => ask('clearFaults'),
})
