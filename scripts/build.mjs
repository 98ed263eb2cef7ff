// Compiles to dist/, puts beside the code what it reads, and makes the bundle that is published.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import ts from 'typescript'

compile()
removeWhatHasNoSource()
removeComments()
for (const folder of ['spec', 'control']) {
  cpSync(`${folder}/generated/openapi.json`, `dist/${folder}/generated/openapi.json`)
}
for (const folder of ['worlds', 'stories']) cpSync(`fixtures/${folder}`, `dist/fixtures/${folder}`, { recursive: true })
copySwaggerUi()
await writeWorldsAsJson()
await import('./bundle.mjs')
chmodSync('dist/cli.js', 0o755)

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
    if (/^bundle\b/.test(output) || /^swagger-ui(\/.*\.br)?$/.test(output)) continue
    const source = output.replace(/(\.d)?\.[jt]s$/, '.ts')
    if (!existsSync(source)) rmSync(join('dist', output), { recursive: true, force: true })
  }
}

/** From the code; beside it, the types keep theirs, which editors show. */
function removeComments() {
  const compilerOptions = {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    removeComments: true,
    verbatimModuleSyntax: true,
  }
  for (const output of readdirSync('dist', { recursive: true })) {
    if (!output.endsWith('.js')) continue
    const file = join('dist', output)
    const { outputText } = ts.transpileModule(readFileSync(file, 'utf8'), { fileName: file, compilerOptions })
    writeFileSync(file, outputText)
  }
}

/** What the documentation page loads, compressed; the package around it would bring thirty others. */
function copySwaggerUi() {
  const files = ['swagger-ui-bundle.js', 'swagger-ui.css', 'index.css', 'favicon-16x16.png', 'favicon-32x32.png']
  const from = fileURLToPath(new URL('./static/', import.meta.resolve('@fastify/swagger-ui/package.json')))
  mkdirSync('dist/swagger-ui', { recursive: true })
  for (const file of files) {
    const compressed = join('dist/swagger-ui', `${file}.br`)
    if (!existsSync(compressed)) writeFileSync(compressed, brotliCompressSync(readFileSync(join(from, file))))
  }
}

/** Checked, so that a start has neither to load YAML nor to check. */
async function writeWorldsAsJson() {
  const { loadWorld, shippedWorlds } = await import('../dist/fixtures/load-world.js')
  const { storyNames } = await import('../dist/fixtures/story-names.js')
  for (const name of shippedWorlds)
    writeFileSync(`dist/fixtures/worlds/${name}.json`, JSON.stringify(await loadWorld(name)))
  for (const name of storyNames)
    writeFileSync(`dist/fixtures/stories/${name}.json`, JSON.stringify(await loadWorld(`story:${name}`)))
}
