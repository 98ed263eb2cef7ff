// Compiles to dist/, and puts beside the code what it reads: the document and the worlds.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

compile()
removeWhatHasNoSource()
cpSync('spec/generated/openapi.json', 'dist/spec/generated/openapi.json')
cpSync('fixtures/worlds', 'dist/fixtures/worlds', { recursive: true })
await writeWorldsAsJson()
await import('./bundle.mjs')
for (const cli of ['dist/cli.js', 'dist/bundle/cli.js']) chmodSync(cli, 0o755)

function compile() {
  const tsc = fileURLToPath(import.meta.resolve('typescript/bin/tsc'))
  // Its notes on the last build outlive dist/, and would let it believe that everything is still there.
  const anew = existsSync('dist') ? [] : ['--force']
  if (anew.length > 0) console.error('Compiling, which takes some seconds the first time.')
  const { status } = spawnSync(process.execPath, [tsc, '--build', 'tsconfig.build.json', ...anew], { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}

function removeWhatHasNoSource() {
  for (const output of readdirSync('dist', { recursive: true })) {
    if (output.startsWith('bundle')) continue
    const source = output.replace(/(\.d)?\.[jt]s$/, '.ts')
    if (!existsSync(source)) rmSync(join('dist', output), { recursive: true, force: true })
  }
}

/** Checked, so that a start has neither to load YAML nor to check. */
async function writeWorldsAsJson() {
  const { loadWorld, shippedWorlds } = await import('../dist/fixtures/load-world.js')
  for (const name of shippedWorlds)
    writeFileSync(`dist/fixtures/worlds/${name}.json`, JSON.stringify(await loadWorld(name)))
}
