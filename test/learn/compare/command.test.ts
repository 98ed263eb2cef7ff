import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createSandbox } from '../../../index.ts'
import { run } from '../../cli/command.ts'
import { folder } from '../../client/harness.ts'
import { recordsIn } from '../../client/records.ts'

const key = { CRM_API_KEY: 'acme-key' }

async function startServer() {
  const sandbox = await createSandbox({ port: 0, world: 'two-teams', assume: { populatedName: 'firstOnly' } })
  onTestFinished(() => sandbox.close())
  const given = ['compare', '--base-url', sandbox.url, '--ledgers', folder(), '--seed', '3', '--steps', '40']
  return { sandbox, given }
}

it('ends with 1 when the server differs, tells it in two reports without the key, and leaves nothing', async () => {
  const { sandbox, given } = await startServer()
  const before = recordsIn(await sandbox.world())
  const [json, markdown] = [join(folder(), 'compare.json'), join(folder(), 'compare.md')]
  const reports = ['--report-json', json, '--report-markdown', markdown]
  const { code, stdout, stderr } = await run([...given, ...reports], key)
  expect(stderr).toBe('')
  expect(code).toBe(1)
  expect(stdout).toContain('The sandbox does the same with populatedName=firstOnly, in place of firstSpaceLast.')
  expect(stdout).toContain('1 difference in 40 steps with seed 3;')
  expect(stdout).toContain(`-H "x-api-key: $CRM_API_KEY"`)
  const report = JSON.parse(readFileSync(json, 'utf8')) as { exitCode: number; differences: { requests: unknown[] }[] }
  expect(report).toMatchObject({ exitCode: 1, seed: 3, steps: 40, residue: [], learned: [] })
  expect(report.differences).toHaveLength(1)
  expect(report.differences[0]?.requests.length).toBeLessThanOrEqual(2)
  const written = readFileSync(json, 'utf8') + readFileSync(markdown, 'utf8')
  expect(written).toContain('populatedName=firstOnly')
  expect(written + stdout).not.toContain('acme-key')
  expect(recordsIn(await sandbox.world())).toEqual(before)
})

it('ends with 0 when the profile says what the server does, or that it could not be told', async () => {
  const { given } = await startServer()
  const profile = join(folder(), 'profile.yaml')
  writeFileSync(profile, 'populatedName: firstOnly\n')
  const same = await run([...given, '--profile', profile], key)
  expect(same.stdout).toContain('No difference in 40 steps')
  expect(same.code).toBe(0)
  writeFileSync(profile, '# populatedName: the server shows no conversation\n')
  const untold = await run([...given, '--profile', profile], key)
  expect(untold.stdout).toContain('The profile could not tell populatedName; the server does as with firstOnly.')
  expect(untold.code).toBe(0)
})

it('refuses what it cannot do with one sentence and 2', async () => {
  const profile = join(folder(), 'profile.yaml')
  writeFileSync(profile, 'populatedName: inCapitals\n')
  const refusals: (readonly [readonly string[], RegExp])[] = [
    [['--steps', '0'], /'0' is invalid\. It must be at least 1/],
    [['--seed', 'x'], /'x' is invalid/],
    [['--profile', profile], /^error: .*inCapitals/],
    [['--profile', `${profile}.none`], /cannot be read \(ENOENT\)/],
    [['--report-json', '/proc/none/compare.json'], /cannot be written/],
    [['--report-markdown', folder()], /cannot be written \(EISDIR\)/],
  ]
  for (const [args, sentence] of refusals) {
    const { code, stderr } = await run(['compare', ...args])
    expect(stderr.trim(), args.join(' ')).toMatch(sentence)
    expect(stderr.trim().split('\n'), args.join(' ')).toHaveLength(1)
    expect(code, args.join(' ')).toBe(2)
  }
})
