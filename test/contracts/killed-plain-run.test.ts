import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sleep } from '../../client/sleep.ts'
import { cleanLedger } from '../../contracts/index.ts'
import { createSandbox } from '../../index.ts'
import { folder } from '../client/harness.ts'
import { recordsIn } from '../client/records.ts'
import { verifying } from './command.ts'

it('leaves no second team on a sandbox of one team, when it is killed and then cleaned as plainly', async () => {
  await using sandbox = await createSandbox({ port: 0 })
  // The tokens of a run add users, who stay.
  const records = async () => recordsIn(await sandbox.world()).map(({ users: _, ...team }) => team)
  const before = await records()
  const ledgers = folder()
  const { child, over } = verifying(['--base-url', sandbox.url, '--ledgers', ledgers], {})
  const callers = () => new Set([...ledgerIn(ledgers).matchAll(/"who":"(\w+)"/g)].map(([, who]) => who))
  while (callers().size < 4 && child.exitCode === null) await sleep(5)
  child.kill('SIGKILL')
  await over
  expect(await records()).toHaveLength(before.length + 1)
  const [name = ''] = readdirSync(ledgers)
  expect(await cleanLedger(join(ledgers, name), { env: {} })).toEqual([])
  expect(await records()).toEqual(before)
})

function ledgerIn(ledgers: string): string {
  const [name] = readdirSync(ledgers)
  return name === undefined ? '' : readFileSync(join(ledgers, name), 'utf8')
}
