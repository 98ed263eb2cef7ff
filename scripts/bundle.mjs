// Puts the sandbox, and the packages that it serves with, into a few files: to find and to read five hundred takes longer
// than all the rest of a start.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { compileValidators } from './compile-validators.mjs'
import { noticesFor } from './notices.mjs'

const require = createRequire(import.meta.url)
const root = process.cwd()
const folder = 'dist/bundle'
const { version, dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))

/** Modules by name, such as `validators-json_open`. */
const validators = new Map([...compileValidators()].map(([kind, code]) => [`validators-${kind}`, code]))

/** Each of these is a file of its own, which is read when it is asked for: few starts and few requests need it. */
const apart = ['light-my-request', ...validators.keys()]
const filesApart = {
  name: 'files-apart',
  resolveId: (id, importer) => (importer && apart.includes(id) ? { id: `./${id}.cjs`, external: true } : null),
}

/** Validators that need no Ajv take the place of none. Of Ajv's code they hold the few functions that they call. */
const validatorsCompiled = {
  name: 'validators-compiled',
  resolveId(id, importer = '') {
    if (validators.has(id)) return { id }
    return validators.has(importer) ? require.resolve(id) : null
  },
  load(id) {
    if (validators.has(id)) return { code: validators.get(id), moduleType: 'js' }
    return id === `${root}/spec/compiled-before.ts` ? { code: findCompiled(), moduleType: 'js' } : null
  },
}

function findCompiled() {
  const files = [...validators.keys()].map((name) => `'${name}': () => require('${name}')`)
  return `const files = { ${files.join(', ')} }
    exports.compiledBefore = (key) => files['validators-' + key.replace(/_[^_]*$/, '')]?.()[key]`
}

/** A module finds what lies beside it where the compiler has put it, not where its code went. */
const besideItself = {
  name: 'beside-itself',
  transform(code, id) {
    if (id.includes('node_modules') || !code.includes('import.meta.url')) return null
    const there = `../${relative(root, id).replace(/\.ts$/, '.js')}`
    return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(there)}, import.meta.url).href`)
  },
}

/** The contracts stay files of their own: a test runner reads them one by one. */
const contractsApart = {
  name: 'contracts-apart',
  resolveId(id, importer = '') {
    if (!importer.endsWith('/contracts/command.ts') || !id.startsWith('./')) return null
    return { id: `../contracts/${id.slice(2).replace(/\.ts$/, '.js')}`, external: true }
  },
}

/** Fastify would only ask for these if a route had a schema of its own, if it logged, or if the server spoke TLS. */
const unused = [
  './logger-pino.js',
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  'node:http2',
  'node:https',
]
const isUnused = (id, importer = '') => unused.includes(id) && /[\\/]node_modules[\\/]fastify[\\/]/.test(importer)
const unusedLeftOut = {
  name: 'unused-left-out',
  resolveId: (id, importer) => (isUnused(id, importer) ? { id: `unused:${id}` } : null),
  load: (id) => (id.startsWith('unused:') ? { code: 'module.exports = undefined', moduleType: 'js' } : null),
}

const versionKnown = {
  name: 'version-known',
  load: (id) => (id === `${root}/mock/version.ts` ? `export const version = ${JSON.stringify(version)}` : null),
}

/** What is there when the package is installed; the rest goes into the bundle. */
function isOutside(id, importer) {
  if (id.startsWith('node:')) return !isUnused(id, importer)
  return Object.keys(dependencies).some((name) => `${id}/`.startsWith(`${name}/`)) && !validators.has(importer)
}

const bundle = await rolldown({
  input: {
    sandbox: 'index.ts',
    commands: 'cli.ts',
    control: 'control/client.ts',
    client: 'typed-client/index.ts',
    fixtures: 'fixtures/index.ts',
    ...Object.fromEntries(apart.map((name) => [name, name])),
  },
  platform: 'node',
  preserveEntrySignatures: 'strict', // or else a part of the sandbox stands in the commands, and runs them
  external: isOutside,
  plugins: [filesApart, validatorsCompiled, unusedLeftOut, contractsApart, besideItself, versionKnown],
  logLevel: 'warn',
})
const { output } = await bundle.generate({
  format: 'cjs',
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } }, // names stay, for whoever reads a stack
  entryFileNames: ({ name }) => (apart.includes(name) ? '[name].cjs' : '[name]-[hash].cjs'),
  // What index.ts shares would be named for the folder of the checkout.
  chunkFileNames: ({ name }) => (name === basename(root) ? 'index-[hash].cjs' : '[name]-[hash].cjs'),
})

const written = new Set()
mkdirSync(folder, { recursive: true })
for (const { fileName, code } of output) write(fileName, asFunction(code))
write('load.cjs', readFileSync('scripts/load.cjs'))
writeEntry('sandbox', 'index', 'dist/index')
writeEntry('control', 'control', 'dist/control/client')
writeEntry('client', 'client', 'dist/typed-client/index')
writeEntry('fixtures', 'fixtures', 'dist/fixtures/index')
write('cli.cjs', `#!/usr/bin/env node\nconst { load } = require('./load.cjs')\n\n${loading('commands')}`, 0o755)
await writeFixturesOfVitest()
write('LICENSES.txt', noticesFor(output.flatMap(({ moduleIds }) => moduleIds)))

removeOthers()

/** What users import or require; `types` is where the compiler has put its types. */
function writeEntry(entry, file, types) {
  const { exports } = output.find(({ name }) => name === entry)
  write(`${file}.js`, `import { load } from './load.cjs'\n\nexport const { ${exports.join(', ')} } = ${loading(entry)}`)
  // For require(), and so for Jest, whose loader reads no ES modules.
  write(`${file}.cjs`, `const { load } = require('./load.cjs')\n\nmodule.exports = ${loading(entry)}`)
  writeFileSync(`${types}.d.cts`, typesForRequire(`./${basename(types)}.js`, exports))
}

/** vitest is only imported, and by this file alone. */
async function writeFixturesOfVitest() {
  const inBundle = { [`${root}/index.ts`]: './index.js', [`${root}/control/client.ts`]: './control.js' }
  const beside = {
    name: 'beside',
    resolveId: (id, importer = '') => {
      const file = inBundle[resolve(dirname(importer), id)]
      return file && { id: file, external: true }
    },
  }
  const fixtures = await rolldown({ input: 'vitest/index.ts', external: 'vitest', plugins: [beside], logLevel: 'warn' })
  const { output } = await fixtures.generate({ format: 'es' })
  write('vitest.js', output[0].code)
}

/** What was compiled at a start is left for the next, as long as it is still of a file. */
function removeOthers() {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && !written.has(entry.name)) rmSync(join(entry.parentPath, entry.name))
  }
}

/** The types of the module, for those who require it: TypeScript would refuse the others, which are of an ES module. */
function typesForRequire(file, names) {
  const module = `'${file}' with { 'resolution-mode': 'import' }`
  const values = names.map((name) => `export declare const ${name}: typeof module.${name}`)
  const classes = names.filter((name) => /^[A-Z]/.test(name)).map((name) => `export type ${name} = module.${name}`)
  const lines = [`import type * as module from ${module}`, `export type * from ${module}`, ...values, ...classes]
  return `${lines.join('\n')}\n`
}

function loading(entry) {
  const { fileName } = output.find(({ name }) => name === entry)
  return `load('${fileName}')\n`
}

/**
 * As `load.cjs` takes it. In ASCII, since V8 reads that faster. The packages that we depend on are required, which works
 * under Jest too; only files of our own are imported.
 */
function asFunction(code) {
  const importing = code
    .replace(/^#!.*/, '')
    .replaceAll(/\bimport\((["'`])([^."'`][^"'`]*)\1\)/g, 'Promise.resolve().then(() => require($1$2$1))')
    .replaceAll(/\bimport\((?=["'`])/g, 'importOther(')
  return inAscii(`(function (exports, require, module, __filename, __dirname, importOther) {${importing}\n})`)
}

function inAscii(code) {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function write(file, text, mode = 0o644) {
  writeFileSync(join(folder, file), text, { mode })
  written.add(file)
}
