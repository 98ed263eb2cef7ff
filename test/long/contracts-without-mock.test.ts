import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { createSandbox } from '../../index.ts'

const root = resolve(import.meta.dirname, '../..')

it('the contracts judge a server without mock/ as they do with it', async () => {
  await using sandbox = await createSandbox({ port: 0, world: 'two-teams' })
  const [team] = await sandbox.teams()
  const elsewhere = mkdtempSync(join(tmpdir(), 'no-mock-'))
  onTestFinished(() => {
    rmSync(elsewhere, { recursive: true })
  })
  for (const room of ['contracts', 'client', 'spec', 'shared'])
    cpSync(join(root, 'dist', room), join(elsewhere, room), { recursive: true })
  cpSync(join(root, 'package.json'), join(elsewhere, 'package.json'))
  symlinkSync(join(root, 'node_modules'), join(elsewhere, 'node_modules'))
  expect(existsSync(join(elsewhere, 'mock'))).toBe(false)

  const script = `
    import { verify } from './contracts/index.js'
    const { verdict, reasons, promises } = await verify({ baseUrl: '${sandbox.url}', only: ['contacts'], ledgers: '${join(elsewhere, 'ledgers')}' })
    console.log(JSON.stringify({ verdict, reasons, kept: promises.filter(({ outcome }) => outcome === 'kept').length }))
  `
  const env = { PATH: process.env.PATH, CRM_API_KEY: team?.apiKeys[0] ?? '' }
  const args = ['--input-type=module', '--eval', script]
  const verdictIn = async (cwd: string) => {
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd, env })
    return JSON.parse(stdout) as { verdict: string; reasons: string[]; kept: number }
  }
  const without = await verdictIn(elsewhere)
  expect(without).toEqual({ ...(await verdictIn(join(root, 'dist'))), verdict: 'conformant', reasons: [] })
  expect(without.kept).toBeGreaterThan(30)
})
