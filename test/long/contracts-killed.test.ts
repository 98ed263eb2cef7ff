import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createSandbox } from '../../index.ts'
import { run, verifying } from '../contracts/command.ts'
import { folder } from '../contracts/harness.ts'

const kills = 200
const credentials = { CRM_API_KEY: 'acme-key', CRM_OTHER_API_KEY: 'globex-key' }

it(`killed at ${kills} random moments and then cleaned, a run leaves nothing and touches nothing else`, async () => {
  const server = await createSandbox({ port: 0, world: 'two-teams' })
  onTestFinished(() => server.close())
  const recordsOf = async () =>
    (await server.world()).teams.map((team) =>
      Object.fromEntries(Object.entries(team).filter(([kind]) => kind !== 'answers' && kind !== 'deleted')),
    )
  const before = await recordsOf()
  let left = 0
  for (let i = 0; i < kills; i++) {
    const ledgers = folder()
    const { child, over } = verifying(['--base-url', server.url, '--ledgers', ledgers], credentials)
    await new Promise((resolve) => setTimeout(resolve, 400 + Math.random() * 2000))
    child.kill('SIGKILL')
    await over
    for (const name of readdirSync(ledgers)) {
      left++
      const { code, stdout } = await run(['verify', '--clean', join(ledgers, name)], credentials)
      expect([code, stdout]).toEqual([0, 'Everything that the run made is deleted.\n'])
    }
    expect(await recordsOf()).toEqual(before)
  }
  expect(left).toBeGreaterThan(kills / 2)
})
