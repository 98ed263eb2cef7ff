// Builds dist. With --commands, it leaves out CommonJS and types, which take half a minute. With --if-stale, it leaves out the
// parts that are newer than all sources.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'

/** The last file of the commands, and the last of everything. */
const [commands, everything] = ['dist/console/index.html', 'dist/.built']
const isRebuilt = !process.argv.includes('--if-stale')

if (isRebuilt || isStale(commands)) {
  console.error('Building the commands and the console, which takes a few seconds …')
  rmSync('dist', { recursive: true, force: true })
  await bundle('commands')
  const { build } = await import('vite')
  await build({ configFile: 'mock/console/vite.config.mjs' })
}
if (!process.argv.includes('--commands') && (isRebuilt || isStale(everything))) {
  console.error('Building CommonJS and types, which takes half a minute …')
  await bundle('library')
  separateComments()
  writeFileSync(everything, '')
}

/** Builds the entries of this name in tsdown.config.ts. The program `tsdown` would print that it may soon need Node 22. */
async function bundle(filter) {
  const { build } = await import('tsdown')
  await build({ filter, logLevel: 'warn' })
}

/** The compiler writes the comment of a property at the end of the line before, where no editor finds it. */
function separateComments() {
  for (const name of readdirSync('dist').filter((file) => /\.d\.c?ts$/.test(file)))
    writeFileSync(`dist/${name}`, readFileSync(`dist/${name}`, 'utf8').replaceAll('; /**', ';\n  /**'))
}

function isStale(built) {
  if (!existsSync(built)) return true
  const others = /^(?:test|docs|examples|bench|\.ci)\/|\.md$/
  const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  const sources = (stdout ?? '').split('\n').filter((file) => file !== '' && !others.test(file))
  // Without git, the sources are unknown.
  if (sources.length === 0) return true
  return sources.some((file) => !existsSync(file) || statSync(file).mtimeMs > statSync(built).mtimeMs)
}
