import { resolve } from 'node:path'
import { sweep, type SweepOptions } from '../../../learn/sweep/sweep.ts'
import { startForTests } from '../../../own-target.ts'

export const suitePath = (name: string) => resolve(import.meta.dirname, 'suites', `${name}.mjs`)

/** Sweeps one of the suites beside this file. */
export function sweepSuite(name: string, more: Partial<SweepOptions> = {}) {
  const { PATH = '' } = process.env
  return sweep({
    command: [process.execPath, suitePath(name)],
    startSandbox: startForTests,
    world: 'demo',
    profile: {},
    atOnce: 2,
    env: { PATH },
    names: new Map(),
    ...more,
  })
}
