import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sleep } from '../../client/sleep.ts'
import { cleanUp } from '../../contracts/index.ts'
import { folder, recordsIn } from '../client/harness.ts'
import { startSandbox, verifying } from './command.ts'

it('a killed run without credentials leaves no second team, once its ledger is cleaned', async () => {
  const sandbox = await startSandbox({})
  // The tokens of a run add users, which stay.
  const records = async () => recordsIn(await sandbox.world()).map(({ users: _, ...team }) => team)
  const before = await records()
  const ledgers = folder()
  const { child, over } = verifying(['--base-url', sandbox.url, '--ledgers', ledgers], {})
  const ledger = () => readdirSync(ledgers).map((name) => readFileSync(join(ledgers, name), 'utf8'))
  const callers = () =>
    new Set(
      [
        ...ledger()
          .join('')
          .matchAll(/"who":"(\w+)"/g),
      ].map(([, who]) => who),
    )
  while (callers().size < 4 && child.exitCode === null) await sleep(5)
  child.kill('SIGKILL')
  await over
  expect(await records()).toHaveLength(before.length + 1)
  const [name = ''] = readdirSync(ledgers)
  expect(await cleanUp(join(ledgers, name), { env: {} })).toMatchObject({ residue: [] })
  expect(await records()).toEqual(before)
})
