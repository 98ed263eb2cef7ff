import type { Ask } from './ask.ts'
import type { OnOperations } from './faults.ts'
import { isOptions } from './options.ts'
import type { ControlAsked, ControlBody, ControlSchemas } from './types.ts'

/** Each gate holds one request before its commit, so that a test decides what happens first. */
export interface GatesControl {
  add(gate?: GateToAdd): Promise<Gate>
  list(): Promise<readonly Gate[]>
  get(gateId: string): Promise<Gate>
  /** Resolves when its request has arrived, or when the time is over; then its state is still `waiting`. */
  wait(gateId: string, time?: ControlAsked<'getGate'>['query']): Promise<Gate>
  /** Lets the held request go on. */
  release(gateId: string): Promise<Gate>
  /** Answers the held request with an error, or ends its connection. */
  fail(gateId: string, failure: ControlBody<'failGate'>): Promise<Gate>
  /** A request that it holds goes on. */
  delete(gateId: string): Promise<void>
  /** Deletes all gates. Requests that are held lose their connection. */
  clear(): Promise<void>
}

export type GateToAdd = OnOperations<ControlBody<'addGate'>>

/** As it was added, and what became of it. */
export type Gate = ControlSchemas['Gate'] & GateToAdd

type Time = NonNullable<Parameters<GatesControl['wait']>[1]>

/** With how long a test waits unless it says otherwise. */
export const withUsualWait = (time: Time): Time =>
  isOptions(time) && time.wait === undefined ? { ...time, wait: '5s' } : time

export const gatesOver = (ask: Ask): GatesControl => ({
  add: (gate = {}) => ask('addGate', { body: gate as ControlBody<'addGate'> }),
  list: () => ask('listGates'),
  get: (gateId) => ask('getGate', { path: { gateId } }),
  wait: (gateId, time = {}) => ask('getGate', { path: { gateId }, query: withUsualWait(time) }),
  release: (gateId) => ask('releaseGate', { path: { gateId } }),
  fail: (gateId, failure) => ask('failGate', { path: { gateId }, body: failure }),
  delete: (gateId) => ask('deleteGate', { path: { gateId } }),
  clear: () => ask('clearGates'),
})
