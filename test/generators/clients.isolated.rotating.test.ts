import { join, resolve } from 'node:path'
import { installOnce, run, type Command } from '../docs/install.ts'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { inTier, sampleOf } from '../tier.ts'
import { startSandbox } from '../for-one-test.ts'

/** How a client is generated from `openapi.json`, and used. Each command runs in a folder that is kept between runs. */
interface Generator {
  readonly name: string
  /** Programs that the machine must have, each with arguments that make it print its version. */
  readonly needs: readonly Command[]
  /** Fetches pinned versions from the ordinary registries. */
  readonly install: readonly Command[]
  readonly generated: string
  readonly generate: readonly Command[]
  /** Checks the types of the client, or compiles it. */
  readonly compile: readonly Command[]
  /** Prints the results of the journey as JSON. Its arguments are the address and the key of a sandbox. */
  readonly journey: Command
}

const cache = resolve('node_modules/.cache/generated-clients')

const installed = (path: string) => resolve('node_modules', path)
const node = process.execPath
const typescript: Command = [node, installed('typescript/bin/tsc')]

const maven: Command = ['mvn', '-q', '-B', `-Dmaven.repo.local=${join(cache, 'maven')}`]
const generatorVersion = '7.14.0'
const generatorJar = `openapi-generator-cli-${generatorVersion}.jar`
const fetchGenerator: Command = [
  ...maven,
  'dependency:get',
  `-Dartifact=org.openapitools:openapi-generator-cli:${generatorVersion}`,
  '-Dtransitive=false',
]
const openapiGenerator: Command = [
  'java',
  '-jar',
  join(cache, 'maven/org/openapitools/openapi-generator-cli', generatorVersion, generatorJar),
  'generate',
  '-i',
  'openapi.json',
]
const withoutTestsAndDocs = 'apiTests=false,modelTests=false,apiDocs=false,modelDocs=false'

const generators: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    needs: [],
    install: [],
    generated: 'api.ts',
    generate: [[node, installed('openapi-typescript/bin/cli.js'), 'openapi.json', '--output', 'api.ts']],
    compile: [typescript],
    journey: [node, 'out/journey.js'],
  },
  {
    name: 'hey-api',
    needs: [['npm', '--version']],
    install: [['npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock']],
    generated: 'client',
    generate: [[node, 'node_modules/@hey-api/openapi-ts/bin/run.js']],
    compile: [typescript],
    journey: [node, 'out/journey.js'],
  },
  {
    name: 'python',
    needs: [['python3', '--version']],
    install: [
      ['python3', '-m', 'venv', 'venv'],
      ['venv/bin/pip', 'install', '--quiet', '--requirement', 'requirements.txt'],
    ],
    generated: 'client',
    generate: [
      [
        'venv/bin/openapi-python-client',
        ...['generate', '--path', 'openapi.json', '--output-path', 'client'],
        ...['--meta', 'none', '--config', 'config.yaml'],
      ],
    ],
    compile: [['venv/bin/mypy', '--strict', '--follow-imports=silent', 'journey.py']],
    journey: ['venv/bin/python', 'journey.py'],
  },
  {
    name: 'java',
    needs: [
      ['java', '-version'],
      ['javac', '-version'],
      ['mvn', '--version'],
    ],
    install: [fetchGenerator, [...maven, 'dependency:copy-dependencies', '-DoutputDirectory=lib']],
    generated: 'client',
    generate: [[...openapiGenerator, ...['-g', 'java', '-o', 'client', '--global-property', withoutTestsAndDocs]]],
    compile: [
      ['javac', '-nowarn', '-cp', 'lib/*', '-sourcepath', 'client/src/main/java:.', '-d', 'classes', 'Journey.java'],
    ],
    journey: ['java', '-cp', 'classes:lib/*', 'Journey'],
  },
  {
    name: 'go',
    needs: [
      ['go', 'version'],
      ['java', '-version'],
      ['mvn', '--version'],
    ],
    install: [fetchGenerator, ['go', 'mod', 'download', 'all']],
    generated: 'crm',
    generate: [
      [
        ...openapiGenerator,
        ...['-g', 'go', '-o', 'crm', '--global-property', withoutTestsAndDocs],
        '--additional-properties=packageName=crm,withGoMod=false',
      ],
    ],
    compile: [['go', 'build', '-o', 'journey', '.']],
    journey: ['./journey'],
  },
]

/** Stores the downloads of Go in the cache, writable, so that `rm -r node_modules` works. */
const environment: NodeJS.ProcessEnv = {
  ...process.env,
  GOMODCACHE: join(cache, 'go-modules'),
  GOCACHE: join(cache, 'go-build'),
  GOFLAGS: '-modcacherw -mod=readonly',
}

// Generates clients from the document of a sandbox, compiles them, and calls the sandbox with them.

describe.each(sampleOf(generators, inTier({ test: 1, nightly: generators.length })))(
  'a client that is generated for $name',
  (generator) => {
    it('creates a contact, sends an e-mail, lists templates, reads a refusal and deletes', async ({ skip }) => {
      const { name, generated, generate, compile, journey } = generator
      const options = { cwd: join(cache, name), env: environment }
      const missing = await prepare(generator, options)
      if (missing !== undefined) {
        console.log(`Skipped ${name}: ${missing}`)
        skip(missing)
      }
      const sandbox = await startSandbox({ port: 0 })
      rmSync(join(options.cwd, generated), { recursive: true, force: true })
      writeFileSync(join(options.cwd, 'openapi.json'), await (await fetch(`${sandbox.url}/openapi.json`)).text())

      for (const command of [...generate, ...compile]) await run(command, options)
      expect(JSON.parse(await run([...journey, sandbox.url, 'demo-key'], options))).toEqual({
        contact: 'Ada',
        email: 'Hello',
        template: 'pending',
        templates: 3,
        price: 12345678.91,
        deleted: true,
        refused: 'Resource not found',
      })
    })
  },
)

/** Copies the files of the journey and installs the generator; returns the reason if this machine cannot run it. */
async function prepare({ name, needs, install }: Generator, options: { cwd: string; env: NodeJS.ProcessEnv }) {
  const files = join(import.meta.dirname, 'journeys', name)
  mkdirSync(options.cwd, { recursive: true })
  cpSync(files, options.cwd, { recursive: true })
  for (const [program, ...args] of needs) {
    const exists = await run([program, ...args], options).then(
      () => true,
      () => false,
    )
    if (!exists) return `this machine has no ${program}`
  }
  const pins = readdirSync(files).filter((file) => /^(package\.json|requirements\.txt|pom\.xml|go\.mod)$/.test(file))
  const versions = pins.map((file) => readFileSync(join(files, file), 'utf8')).join('')
  return installOnce(install, JSON.stringify(install) + versions, options)
}
