import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { run } from '../../cli/command.ts'
import { newFolder, startSandbox } from '../../for-one-test.ts'

const key = { CRM_API_KEY: 'acme-key' }

async function startServer() {
  const sandbox = await startSandbox({ port: 0, world: 'two-teams', assume: { populatedName: 'firstOnly' } })
  const given = ['compare', '--base-url', sandbox.url, '--ledgers', newFolder(), '--seed', '3', '--steps', '250']
  return given
}

it('exits with 0 when the profile has the choice of the server, or leaves it undetermined', async () => {
  const given = await startServer()
  const profile = join(newFolder(), 'profile.yaml')
  writeFileSync(profile, 'populatedName: firstOnly\n')
  const same = await run([...given, '--profile', profile], key)
  expect(same.stdout).toContain('Verdict: no difference.')
  expect(same.code).toBe(0)
  writeFileSync(profile, '# populatedName: the server shows no conversation\n')
  const undetermined = await run([...given, '--profile', profile], key)
  expect(undetermined.stdout).toContain(
    'The profile leaves populatedName undetermined; the server does as with firstOnly.',
  )
  expect(undetermined.code).toBe(0)
})

it('refuses a folder as a report before the first request', async () => {
  const { code, stdout, stderr } = await run(['compare', '--report-markdown', newFolder()])
  expect(stderr).toMatch(/^error: The report .* cannot be written \(EISDIR\)\.\n$/)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
})
