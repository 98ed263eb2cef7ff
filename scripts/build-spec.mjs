// Writes spec/generated from the YAML beside it. With --check nothing is written: it says whether
// what is there is fresh.
import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { callableRoutesOf } from './callable-routes.mjs'
import { withFlatSchemas } from './flat-schemas.mjs'
import { withNamedCases } from './named-cases.mjs'

const documents = [
  {
    folder: 'spec',
    generate: async (bundled) => {
      const document = withFlatSchemas(withNamedCases(bundled))
      const routes = `${note('spec')}\n\n${callableRoutesOf(document)}`
      return { ...(await written('spec', document)), 'spec/generated/routes.ts': routes }
    },
  },
]

try {
  for (const one of documents) await refuseProblems(one)
  const generated = Object.assign({}, ...(await Promise.all(documents.map(generate))))
  await (process.argv.includes('--check') ? refuseStale(generated) : write(generated))
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}

/** Nothing is made from a document that has a problem: what it says would be wrong in more places. */
async function refuseProblems({ folder }) {
  const { problems } = JSON.parse(await redocly('lint', sourceOf(folder), '--format=json'))
  if (problems.length > 0) throw new Error([...new Set(problems.map(sentence))].join('\n'))
}

function sourceOf(folder) {
  return `${folder}/openapi.yaml`
}

function sentence({ message, location: [{ source, start, pointer = '' }] }) {
  const place = `${source.ref}:${start.line}:${start.col}`
  return `${place} ${message.replaceAll(`${process.cwd()}/`, '')}${pointer && ` (at ${pointer})`}`
}

async function generate({ folder, generate }) {
  const bundle = await redocly(
    'bundle',
    sourceOf(folder),
    '--ext=json',
    '--component-renaming-conflicts-severity=error',
  )
  return generate(JSON.parse(bundle))
}

async function written(folder, made) {
  const document = sortComponents(made)
  const { default: openapiTS, astToString } = await import('openapi-typescript') // it brings a compiler along
  const types = astToString(await openapiTS(structuredClone(document), { silent: true }))
  return {
    [`${folder}/generated/openapi.json`]: `${JSON.stringify(document, null, 2)}\n`,
    [`${folder}/generated/api.ts`]: `${note(folder)}\n\n${types}`,
  }
}

function note(folder) {
  return `// Written by \`npm run spec:build\` from ${folder}/*.yaml: change those.`
}

/** Components come in the order of their first use; by name, a new use moves no lines. */
function sortComponents({ components, ...document }) {
  return { ...document, components: mapValues(components, (group) => Object.fromEntries(sortByName(group))) }
}

function sortByName(group) {
  return Object.entries(group).sort(([one], [other]) => (one < other ? -1 : 1))
}

function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
}

async function write(generated) {
  for (const { folder } of documents) await mkdir(`${folder}/generated`, { recursive: true })
  for (const [file, text] of Object.entries(generated)) await writeFile(file, text)
}

async function refuseStale(generated) {
  for (const [file, text] of Object.entries(generated)) {
    const committed = await readFile(file, 'utf8').catch(() => undefined)
    if (committed !== text) throw new Error(`${file} is not what the YAML beside it says: run \`npm run spec:build\`.`)
  }
}

/** What the command prints. It exits with 1 when it finds problems, and prints them all the same. */
async function redocly(...args) {
  const command = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'))
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const run = promisify(execFile)(process.execPath, [command, ...args], { env, maxBuffer: 64 * 1024 * 1024 })
  const { stdout, stderr } = await run.catch((failure) => failure)
  if (!stdout.trim().startsWith('{')) throw new Error(stderr || `redocly ${args.join(' ')} printed nothing`)
  return stdout
}
