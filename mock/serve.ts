import type { World } from '../fixtures/world.ts'
import { readText } from '../shared/file-errors.ts'
import { readYaml } from '../shared/read-yaml.ts'
import { readChoice, readProfile, UnreadableChoice, type WrittenChoices } from '../spec/choices.ts'
import { assumption, type AssumptionName } from '../spec/assumptions.ts'
import { bannerAsJson, bannerOf, type Started } from './banner.ts'
import { CannotStart } from './cannot-start.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from './create-sandbox.ts'
import { watchFor } from './environment.ts'
import type { Settings } from './options.ts'
import { onEndOfNpx } from './started-by-npx.ts'

/** The command `serve`: starts a sandbox, prints where it listens, and runs until a signal stops it. */
export async function serve(settings: Settings, world: World): Promise<void> {
  const assume = await choicesOf(settings)
  const sandbox = await createSandbox(optionsFor(settings, world, assume), watchFor(process.env))
  stopOnSignals(sandbox)
  const started = await describe(sandbox, settings, assume)
  process.stdout.write(settings.printJson ? bannerAsJson(started) : bannerOf(started))
}

async function describe(sandbox: Sandbox, settings: Settings, assume: WrittenChoices): Promise<Started> {
  const { url, listening, controlToken } = sandbox
  const isOurs = ([name, choice]: [string, string]) => assumption(name as AssumptionName).assumed === choice
  return {
    url,
    listening,
    controlToken: settings.controlToken === undefined ? controlToken : undefined,
    world: settings.world ?? 'demo',
    store: settings.store ?? 'memory',
    choices: Object.fromEntries(Object.entries(assume).filter((choice) => !isOurs(choice))),
    teams: await sandbox.teams(),
  }
}

function optionsFor(settings: Settings, world: World, assume: WrittenChoices): SandboxOptions {
  const {
    port = 0,
    public: isPublic = false,
    allowHost,
    cors,
    store,
    seed,
    controlToken,
    log,
    faultsByHeader,
  } = settings
  return {
    world,
    port,
    host: settings.host ?? (isPublic ? '0.0.0.0' : '127.0.0.1'),
    public: isPublic,
    allowHosts: allowHost,
    cors,
    assume,
    ...(store === undefined ? {} : { store }),
    ...(seed === undefined ? {} : { seed }),
    ...(controlToken === undefined ? {} : { controlToken }),
    ...(faultsByHeader === undefined ? {} : { faultsByHeader }),
    ...(log === undefined
      ? {}
      : { log: { form: formOn(process.stderr), ...log, write: (line) => process.stderr.write(line) } }),
  }
}

/** A line to read for people, and JSON for whatever collects the log. */
const formOn = ({ isTTY }: NodeJS.WriteStream) => (isTTY ? 'text' : 'json')

/** Choices from --assume override those of the profile. */
async function choicesOf({ profile, assume }: Settings): Promise<WrittenChoices> {
  const seen = profile === undefined ? {} : await readProfileFrom(profile)
  return assume.map(readChoice).reduce((choices, choice) => ({ ...choices, ...choice }), seen)
}

async function readProfileFrom(path: string): Promise<WrittenChoices> {
  const text = readText(path, `The profile ${path}`, (sentence) => new CannotStart(sentence))
  try {
    return readProfile(await readYaml(text))
  } catch (error) {
    const why = error instanceof UnreadableChoice ? error.message : 'It is neither JSON nor YAML.'
    throw new CannotStart(`The profile ${path} cannot be used. ${why}`)
  }
}

/** The first signal, or the end of the npx that started it, lets requests in flight finish; the second exits at once. */
function stopOnSignals(sandbox: Sandbox): void {
  let stopping = false
  const stop = () => {
    if (stopping) process.exit(1)
    stopping = true
    sandbox.close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  onEndOfNpx(stop)
}
