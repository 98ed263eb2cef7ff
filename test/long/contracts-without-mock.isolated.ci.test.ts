import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { createSandbox } from '../../index.ts'

it('the contracts judge a server without mock/ as they do with it', async () => {
  await using sandbox = await createSandbox({ port: 0, world: 'two-teams' })
  const [team] = await sandbox.teams()
  const elsewhere = mkdtempSync(join(tmpdir(), 'no-mock-'))
  onTestFinished(() => rmSync(elsewhere, { recursive: true }))
  const checks = readdirSync('dist/contracts/checks').filter((name) => name.endsWith('.js'))
  const files = loadedFiles('contracts.js', ...checks.map((name) => `contracts/checks/${name}`))
  expect(files.flatMap(sourcesOf).filter((source) => source.includes('/mock/'))).toEqual([])
  for (const file of [...files, 'spec']) cpSync(join('dist', file), join(elsewhere, 'dist', file), { recursive: true })
  cpSync('package.json', join(elsewhere, 'package.json'))
  symlinkSync(resolve('node_modules'), join(elsewhere, 'node_modules'))

  const script = `
    import { verify } from './dist/contracts.js'
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
  expect(without).toEqual({ ...(await verdictIn(resolve('.'))), verdict: 'conformant', reasons: [] })
  expect(without.kept).toBeGreaterThan(30)
})

/** The files of the build that these files import, and they themselves. */
function loadedFiles(...entries: readonly string[]): string[] {
  const files = new Set(entries)
  for (const file of files)
    for (const [, path = ''] of readFileSync(join('dist', file), 'utf8').matchAll(
      /(?:from|import\(|import)\s*"(\.[^"]+\.js)"/g,
    ))
      files.add(join(dirname(file), path))
  return [...files]
}

/** The source files of a file of the build. */
function sourcesOf(file: string): string[] {
  const map = join('dist', `${file}.map`)
  return existsSync(map) ? (JSON.parse(readFileSync(map, 'utf8')) as { sources: string[] }).sources : []
}
