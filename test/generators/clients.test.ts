import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSandbox } from '../../index.ts'
import { inTier, sampleOf } from '../tier.ts'
import { cache, type Command, environment, type Generator, generators } from './generators.ts'

// Clients as their users have them: generated from the document that a sandbox serves, compiled, and asking it.

describe.each(sampleOf(generators, inTier({ test: 1, ci: 2, nightly: generators.length })))(
  'a client that is generated for $name',
  (generator) => {
    it('creates a contact, sends an e-mail, lists templates, reads a refusal and deletes', async ({ skip }) => {
      const { name, generated, generate, compile, journey } = generator
      const folder = layOut(name)
      const missing = await lackOf(generator, folder)
      if (missing !== undefined) {
        console.log(`Skipped ${name}: ${missing}`)
        skip(missing)
      }
      const sandbox = await createSandbox({ port: 0 })
      onTestFinished(() => sandbox.close())
      rmSync(join(folder, generated), { recursive: true, force: true })
      writeFileSync(join(folder, 'openapi.json'), await (await fetch(`${sandbox.url}/openapi.json`)).text())

      for (const command of [...generate, ...compile]) await run(command, folder)
      const seen = await run([...journey, sandbox.url, 'demo-key'], folder)

      expect(JSON.parse(seen)).toEqual({
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

/** A folder with the files of the journey, and with what earlier runs have installed there. */
function layOut(name: string): string {
  const folder = join(cache, name)
  mkdirSync(folder, { recursive: true })
  cpSync(join(import.meta.dirname, 'journeys', name), folder, { recursive: true })
  return folder
}

/** Why the generator cannot be tried here, once what it needs was looked for and installed. */
async function lackOf({ name, needs, install }: Generator, folder: string): Promise<string | undefined> {
  for (const [program, ...args] of needs) {
    const isHere = await run([program, ...args], folder).then(
      () => true,
      () => false,
    )
    if (!isHere) return `this machine has no ${program}`
  }
  const wanted = JSON.stringify(install) + pinsOf(name)
  const stamp = join(folder, '.installed')
  if (readIfThere(stamp) === wanted) return undefined
  try {
    for (const command of install) await run(command, folder)
  } catch (error) {
    return `it could not be installed (${lastLineOf(error)})`
  }
  writeFileSync(stamp, wanted)
  return undefined
}

/** The files that name the versions to install. */
function pinsOf(name: string): string {
  const folder = join(import.meta.dirname, 'journeys', name)
  const pins = readdirSync(folder).filter((file) => /^(package\.json|requirements\.txt|pom\.xml|go\.mod)$/.test(file))
  return pins.map((file) => readFileSync(join(folder, file), 'utf8')).join('')
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

const lastLineOf = (error: unknown) => String(error).trim().split('\n').at(-1) ?? ''

async function run([program, ...args]: Command, cwd: string): Promise<string> {
  const options = { cwd, env: environment, maxBuffer: 64 * 1024 * 1024, timeout: 10 * 60_000 }
  const { stdout } = await promisify(execFile)(program, args, options).catch((failure: unknown) => {
    const { stdout = '', stderr = '' } = failure as { stdout?: string; stderr?: string }
    throw new Error([`${program} ${args.join(' ')} failed`, stdout.slice(-8000), stderr.slice(-8000)].join('\n'))
  })
  return stdout
}
