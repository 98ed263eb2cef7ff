import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSandbox } from '../../index.ts'
import { installOnce, run } from '../docs/install.ts'
import { inTier, sampleOf } from '../tier.ts'
import { cache, environment, type Generator, generators } from './generators.ts'

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
      const sandbox = await createSandbox({ port: 0 })
      onTestFinished(() => sandbox.close())
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
