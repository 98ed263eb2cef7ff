import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { defineConfig, type UserConfig } from 'tsdown'
import { program } from './cli/commands.ts'
import { configSchema } from './cli/config/config-schema.ts'
import { loadLocale, localeNames } from './fixtures/generate/locale.ts'
import { loadWorld, shippedWorlds, storyNames } from './fixtures/load-world.ts'
import { controlDocument } from './mock/control/document.ts'

/** A development dependency: the sandbox needs 40 KB of its 6 MB. */
const inlined = ['typebox']
/** Jest cannot `require` packages that exist as ES modules alone. */
const modulesOnly = ['jose', 'lowdb', 'steno']
/** The licenses of the code in dist that npm does not install as a package. */
const licenses = [
  'typebox/license',
  ...['preact', 'preact-iso', '@preact/signals', 'swagger-ui-dist'].map((name) => `${name}/LICENSE`),
  ...['NOTICE', 'swagger-ui-bundle.js.LICENSE.txt'].map((name) => `swagger-ui-dist/${name}`),
]

/** The files that the pages at `/docs` load. Compressed, they take a fifth of their 2 MB in an installation. */
const swaggerUi = ['swagger-ui-bundle.js', 'swagger-ui.css', 'index.css', 'favicon-32x32.png']

const shared = {
  outDir: 'dist',
  platform: 'node',
  define: { IS_BUILT: 'true' },
  fixedExtension: false,
  deps: { onlyBundle: inlined },
  // Editors show the comments of the declarations.
  outputOptions: { comments: { jsdoc: false } },
  clean: false,
  report: false,
  logLevel: 'warn',
  checks: { legacyCjs: false, pluginTimings: false },
  inputOptions: { experimental: { attachDebugInfo: 'none' } },
} satisfies UserConfig

/** The entries for `import` and `require`. */
const entries = {
  index: 'index.ts',
  control: 'mock/testing/control-client.ts',
  client: 'mock/testing/client.ts',
  fixtures: 'fixtures/index.ts',
  vitest: 'mock/testing/vitest.ts',
  contracts: 'contracts/index.ts',
}

export default defineConfig([
  {
    ...shared,
    name: 'commands',
    format: 'esm',
    // `verify` has vitest run the checks.
    entry: {
      ...entries,
      cli: 'cli/main.ts',
      'load-file': 'cli/load-file.ts',
      'contracts/checks/all': 'contracts/checks/all.ts',
    },
    dts: false,
    copy: [
      { from: 'spec/generated/openapi.json', to: 'dist/spec/generated' },
      { from: 'spec/flows.arazzo.yaml', to: 'dist/spec' },
    ],
    hooks: { 'build:done': writeData },
  },
  {
    ...shared,
    name: 'library',
    format: 'cjs',
    entry: entries,
    dts: false,
    deps: { alwaysBundle: modulesOnly, onlyBundle: [...modulesOnly, ...inlined] },
    outputOptions: { ...shared.outputOptions, dynamicImportInCjs: false },
  },
  {
    ...shared,
    name: 'library',
    format: ['esm', 'cjs'],
    entry: entries,
    dts: true,
    // The builds above write the code.
    plugins: [{ name: 'types-only', generateBundle: keepTypes }],
  },
])

function keepTypes(_options: unknown, bundle: Record<string, unknown>) {
  for (const name of Object.keys(bundle)) if (!/\.d\.c?ts$/.test(name)) Reflect.deleteProperty(bundle, name)
}

/** Writes Swagger UI, licenses, and locales and the shipped worlds as checked JSON: loading `yaml` and `ajv` would double the time of a start. */
async function writeData() {
  await mkdir('dist/fixtures/stories', { recursive: true })
  await mkdir('dist/fixtures/worlds', { recursive: true })
  await mkdir('dist/fixtures/generate/locales', { recursive: true })
  await writeJson('control', await controlDocument())
  await writeJson('config.schema', configSchema(program))
  for (const name of shippedWorlds) await writeJson(`fixtures/worlds/${name}`, await loadWorld(name))
  for (const name of localeNames) await writeJson(`fixtures/generate/locales/${name}`, await loadLocale(name))
  for (const name of storyNames) await writeJson(`fixtures/stories/${name}`, await loadWorld(`story:${name}`))
  await mkdir('dist/swagger-ui', { recursive: true })
  for (const name of swaggerUi)
    await writeFile(
      `dist/swagger-ui/${name}.gz`,
      gzipSync(await readFile(`node_modules/swagger-ui-dist/${name}`), { level: 9 }),
    )
  const texts = licenses.map(async (file) => `${file}\n\n${await readFile(`node_modules/${file}`, 'utf8')}`)
  await writeFile('dist/licenses.txt', (await Promise.all(texts)).join('\n\n'))
}

const writeJson = (name: string, value: object) => writeFile(`dist/${name}.json`, JSON.stringify(value))
