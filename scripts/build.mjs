// Builds dist. With --if-stale, it does nothing when dist is newer than all sources.
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, statSync } from 'node:fs'

if (!process.argv.includes('--if-stale') || isStale()) {
  rmSync('dist', { recursive: true, force: true })
  const { status } = spawnSync('node_modules/.bin/tsdown', { stdio: 'inherit' })
  process.exitCode = status ?? 1
}

function isStale() {
  const built = 'dist/contracts.d.cts'
  if (!existsSync(built)) return true
  const others = /^(?:test|docs|examples|bench|\.ci)\//
  const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  const sources = stdout.split('\n').filter((file) => file !== '' && !others.test(file))
  return sources.some((file) => !existsSync(file) || statSync(file).mtimeMs > statSync(built).mtimeMs)
}
