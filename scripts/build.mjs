// Builds dist. With --if-stale, it does nothing when dist is newer than all sources.
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, statSync } from 'node:fs'

if (!process.argv.includes('--if-stale') || isStale()) {
  rmSync('dist', { recursive: true, force: true })
  const steps = ['tsdown --logLevel warn', 'vite build --config console/vite.config.mjs']
  const isBuilt = steps.every(
    (step) => spawnSync(`node_modules/.bin/${step}`, { shell: true, stdio: 'inherit' }).status === 0,
  )
  process.exitCode = isBuilt ? 0 : 1
}

function isStale() {
  const built = 'dist/console/index.html'
  if (!existsSync(built)) return true
  const others = /^(?:test|docs|examples|bench|\.ci)\//
  const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  const sources = stdout.split('\n').filter((file) => file !== '' && !others.test(file))
  return sources.some((file) => !existsSync(file) || statSync(file).mtimeMs > statSync(built).mtimeMs)
}
