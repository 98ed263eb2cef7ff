import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newFolder, startSandbox, postAs } from '../for-one-test.ts'
import { expectError, run } from './command.ts'

const ada = { firstName: 'Ada', lastName: 'Lovelace' }

async function open() {
  const sandbox = await startSandbox({ port: 0 })
  for (const body of [ada, { firstName: 'Ada' }]) await sandbox.fetch('/api/contacts', postAs('demo-key', body))
  return { sandbox, at: { CRM_SANDBOX_URL: sandbox.url } }
}

describe('coverage', () => {
  it('prints the operations and outcomes that no request met, and the assumptions that the responses relied on', async () => {
    const { sandbox, at } = await open()
    const { stdout, code } = await run(['coverage'], at)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Coverage: 2 of 122 outcomes \(1%\)\n {2}Never called: findOrCreateConversation, /)
    expect(stdout).toContain('\n  Never met: createContact 401, repeatedKey\n  Relied on: ')
    expect(JSON.parse((await run(['coverage', '--json'], at)).stdout)).toEqual(await sandbox.coverage())
  })

  it('writes a table for the summary of a CI job', async () => {
    const { at } = await open()
    const file = join(newFolder(), 'coverage.md')
    expect((await run(['coverage', '--markdown', file], at)).code).toBe(0)
    const written = readFileSync(file, 'utf8')
    expect(written).toContain('## Coverage of the CRM API: 1%\n')
    expect(written).toContain('\n| operation | success | 400 | 401 | 404 | repeatedKey |\n| --- | ---: |')
    expect(written).toContain('\n| createContact | 1 | 1 | **0** |  | **0** |\n')
    expect(written).toMatch(/relied on these assumptions: .*`newContactStatus` \(1\)/)
  })

  it('fails under a percentage', async () => {
    const { at } = await open()
    expect((await run(['coverage', '--fail-under', '1'], at)).code).toBe(0)
    const { code, stdout, stderr } = await run(['coverage', '--fail-under', '80'], at)
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'error: The coverage is 1%, which is under 80%.\n' })
    expect(stdout).toMatch(/^Coverage: 2 of 122 outcomes/)
  })

  it.each([
    [['--fail-under', 'most'], /^error: --fail-under must be a percentage, from 0 to 100\.$/],
    [['--fail-under', '101'], /^error: --fail-under must be a percentage, from 0 to 100\.$/],
  ])('refuses %j in a sentence', async (args, sentence) => {
    const { at } = await open()
    await expectError(['coverage', ...args], sentence, 1, at)
  })

  it('says that it cannot write the file', async () => {
    const { at } = await open()
    await expectError(
      ['coverage', '--markdown', '/nowhere/coverage.md'],
      /^error: The file \/nowhere\/coverage\.md cannot be written \(ENOENT\)\.$/,
      1,
      at,
    )
  })
})
