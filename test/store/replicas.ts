import { setTimeout } from 'node:timers/promises'
import { onTestFinished, vi } from 'vitest'
import type { World } from '../../fixtures/world.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../mock/create-sandbox.ts'
import { MemoryStore } from '../../mock/store/memory/memory-store.ts'
import type { SharedState } from '../../mock/store/port.ts'
import { type Call, callerOf, twoTeams } from '../mock/harness.ts'
import type { Place } from './harness.ts'

export interface Replica {
  readonly sandbox: Sandbox
  readonly call: Call
}

/** Two sandboxes on one store, which has a name or is opened by each. */
export async function openReplicas(
  place: Place,
  { world = twoTeams, ...options }: Partial<SandboxOptions> = {},
): Promise<[Replica, Replica]> {
  const opened = async (): Promise<Replica> => {
    if (typeof place === 'string') return open({ world, ...options, store: place })
    const spy = vi.spyOn(MemoryStore, 'open').mockImplementation(() => place(world) as never)
    return open({ world, ...options }).finally(() => {
      spy.mockRestore()
    })
  }
  return [await opened(), await opened()]
}

async function open(options: SandboxOptions): Promise<Replica> {
  const sandbox = await createSandbox(options)
  onTestFinished(() => sandbox.close())
  return { sandbox, call: callerOf(sandbox) }
}

/** A store in memory that several sandboxes share, and that can become unreachable. */
export async function sharedMemoryStore(world: World = twoTeams) {
  const store = await MemoryStore.open(world)
  let [version, settings] = [1, '{}']
  let broken: Error | undefined
  const answer = async <Result>(read: () => Result | Promise<Result>): Promise<Result> => {
    await setTimeout(1)
    if (broken) throw broken
    return read()
  }
  const state = () => ({ version, settings: JSON.parse(settings) as object })
  const shared: SharedState = {
    observe: (known) => answer(() => (known === version ? undefined : state())),
    change: (work) =>
      answer(() => {
        settings = JSON.stringify(work(state().settings))
        version++
        return state()
      }),
    revision: (teamId) =>
      answer(async () => JSON.stringify(teamId === undefined ? await store.world() : await store.teamInWorld(teamId))),
  }
  return Object.assign(store, {
    shared,
    fail: (error: Error | undefined) => {
      broken = error
    },
  })
}
