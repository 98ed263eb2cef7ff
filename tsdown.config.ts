import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { defineConfig, type UserConfig } from 'tsdown'
import { program } from './commands.ts'
import { configSchema } from './config/config-schema.ts'
import { loadLocale, localeNames } from './fixtures/generate/locale.ts'
import { loadWorld, shippedWorlds, storyNames } from './fixtures/load-world.ts'
import { controlDocument } from './mock/control/document.ts'

const shared = {
  outDir: 'dist',
  platform: 'node',
  fixedExtension: false,
  sourcemap: true,
  clean: false,
  report: false,
  logLevel: 'warn',
  checks: { legacyCjs: false, pluginTimings: false },
} satisfies UserConfig

/** The entries for `import` and `require`. */
const entries = {
  index: 'index.ts',
  control: 'mock/control/client.ts',
  client: 'testing/client.ts',
  fixtures: 'fixtures/index.ts',
  vitest: 'testing/vitest.ts',
  contracts: 'contracts/index.ts',
}

export default defineConfig([
  {
    ...shared,
    format: 'esm',
    entry: { ...entries, cli: 'cli.ts' },
    // TypeBox is 370 files, which would double the time of a start.
    deps: { alwaysBundle: [/^typebox/], onlyBundle: false },
    dts: false,
    copy: [
      { from: 'spec/generated/openapi.json', to: 'dist/spec/generated' },
      { from: 'fixtures/worlds', to: 'dist/fixtures' },
    ],
    hooks: { 'build:done': writeData },
  },
  {
    ...shared,
    format: 'esm',
    // `verify` has vitest run these files.
    entry: { 'contracts/checks/*': 'contracts/checks/*.contract.ts' },
    dts: false,
  },
  {
    ...shared,
    format: 'cjs',
    entry: entries,
    dts: false,
    // Jest cannot `require` packages that exist as ES modules alone.
    deps: { alwaysBundle: ['jose', 'lowdb', 'steno', /^typebox/], onlyBundle: false },
    outputOptions: { dynamicImportInCjs: false },
  },
  {
    ...shared,
    format: ['esm', 'cjs'],
    entry: entries,
    dts: true,
    // The builds above write the code.
    plugins: [{ name: 'types-only', generateBundle: keepTypes }],
    hooks: { 'build:done': importTypesOfModules },
  },
])

function keepTypes(_options: unknown, bundle: Record<string, unknown>) {
  for (const name of Object.keys(bundle)) if (!/\.d\.c?ts(\.map)?$/.test(name)) Reflect.deleteProperty(bundle, name)
}

/**
 * A CommonJS declaration needs `resolution-mode` to import types of an ES module. Reads and writes each file at once, since
 * the two formats call this hook at the same time.
 */
function importTypesOfModules() {
  for (const name of readdirSync('dist')) {
    if (!name.endsWith('.d.cts')) continue
    const text = readFileSync(`dist/${name}`, 'utf8')
    const imports = /^import (?:type )?(\{[^}]*\}) from "typebox";$/gm
    const replacement = 'import type $1 from "typebox" with { "resolution-mode": "import" };'
    writeFileSync(`dist/${name}`, text.replaceAll(imports, replacement))
  }
}

/** Writes locales and the shipped worlds as checked JSON: loading `yaml` and `ajv` would double the time of a start. */
async function writeData() {
  await mkdir('dist/fixtures/stories', { recursive: true })
  await mkdir('dist/fixtures/worlds', { recursive: true })
  await mkdir('dist/fixtures/generate/locales', { recursive: true })
  await writeJson('control', await controlDocument())
  await writeJson('config.schema', configSchema(program))
  for (const name of shippedWorlds) await writeJson(`fixtures/worlds/${name}`, await loadWorld(name))
  for (const name of localeNames) await writeJson(`fixtures/generate/locales/${name}`, await loadLocale(name))
  for (const name of storyNames) await writeJson(`fixtures/stories/${name}`, await loadWorld(`story:${name}`))
}

const writeJson = (name: string, value: object) => writeFile(`dist/${name}.json`, JSON.stringify(value))
