import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { checkIsThere, loadWorld } from '../fixtures/load-world.ts'
import { readChoice, type WrittenChoices } from '../spec/choices.ts'
import { assumption, type AssumptionName, assumptionNames } from '../spec/assumptions.ts'
import { bannerAsJson, bannerOf, type Started } from './banner.ts'
import { createSandbox, type Sandbox } from '../mock/create-sandbox.ts'
import { marksFor } from './marks.ts'
import { onEndOfNpm } from './npm.ts'
import { loadFaults, loadProfile } from './load-profile.ts'
import { optionsFrom, type Settings } from './options.ts'
import { filesToWatch, watchFiles } from './watch.ts'
import { withoutControls } from '../lib/text.ts'
import { readOption } from '../lib/user-error.ts'
import { endOfStory } from '../mock/core/clock.ts'
import { shownName } from '../mock/store/open-store.ts'

/** The command `serve`: starts a sandbox, prints where it listens, and runs until a signal stops it. */
export async function serve(settings: Settings): Promise<void> {
  const { sandbox, ...chosen } = await start(settings)
  stopOnSignals(sandbox, chosen.ca, settings.drain)
  const started = await describe(sandbox, settings, chosen)
  process.stdout.write(settings.printJson ? bannerAsJson(started) : bannerOf(started))
  if (settings.open) openInBrowser(`${started.url}/console`, (sentence) => process.stderr.write(`${sentence}\n`))
}

/** Starts the sandbox of `serve` or `exec`; `ca` is the file of its certificate, if it made one. */
export async function start(settings: Settings): Promise<Choosing & { readonly sandbox: Sandbox }> {
  const watched = await filesToWatch(settings)
  const worldName = settings.world ?? 'demo'
  await readOption('world', () => checkIsThere(worldName))
  let isStored = true
  const world = () => {
    isStored = false
    return readOption('world', () => loadWorld(worldName, endOfStory(settings)))
  }
  const profile = await loadProfile(settings.profile ?? {})
  const faults = await loadFaults(settings.faults ?? [])
  const assume = settings.assume.map(readChoice).reduce((all, choice) => ({ ...all, ...choice }), {})
  const isSecure = [settings.https, settings.tlsCert, settings.tlsKey].some(
    (value) => value !== undefined && value !== false,
  )
  // Loaded on demand: a library makes the certificate.
  const https = isSecure ? await import('./https.ts') : undefined
  const tls = https?.certificateFrom(settings)
  const options = { ...optionsFrom(settings), ...(tls && { tls }), world, profile, faults, assume }
  const sandbox = await createSandbox(options, marksFor(process.env), settings.world)
  const ca = tls?.ca === undefined ? undefined : https?.writeAuthority(tls.ca, sandbox.listening?.port ?? 0)
  watchFiles(watched, sandbox, options, (line) => process.stderr.write(`${withoutControls(line)}\n`))
  return { sandbox, ca, profile, assume, isStored }
}

async function describe(
  sandbox: Sandbox,
  settings: Settings,
  { profile, assume, ca, isStored }: Choosing,
): Promise<Started> {
  const { url, listening, controlToken } = sandbox
  const learned = Object.entries(profile).filter(([name]) => !Object.hasOwn(assume, name))
  const chosen = Object.entries(assume)
  const assumed = assumptionNames.length - learned.length - chosen.length
  const isDifferent = ([name, choice]: [string, string]) => assumption(name as AssumptionName).assumed !== choice
  return {
    url,
    listening,
    ca,
    controlToken: settings.controlToken === undefined ? controlToken : undefined,
    world: settings.world ?? 'demo',
    store: await shownName(settings.store ?? 'memory'),
    isStored,
    choices: { learned: learned.length, chosen: chosen.length, assumed },
    learned: learned.filter(isDifferent),
    chosen: chosen.filter(isDifferent),
    teams: await sandbox.teams(),
  }
}

interface Choosing {
  readonly ca: string | undefined
  readonly isStored: boolean
  readonly profile: WrittenChoices
  readonly assume: WrittenChoices
}

/**
 * The first signal, or the end of the npm that started it, lets requests in flight finish; the second exits at once. SIGTERM
 * and the end of npm drain: a service manager sends the one, and causes the other; a person presses Ctrl+C.
 */
function stopOnSignals(sandbox: Sandbox, ca: string | undefined, drain = 0): void {
  let stopping = false
  const stop = (drain = 0) => {
    if (stopping) process.exit(1)
    stopping = true
    // Before the port is free: the next server on it writes the same file.
    if (ca !== undefined) rmSync(ca, { force: true })
    sandbox.close({ drain }).then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', () => stop(drain))
  process.on('SIGINT', () => stop())
  onEndOfNpm(() => {
    if (!stopping) stop(drain)
  })
}

/** Opens a page in the browser of this machine. Calls back with a sentence when that is not possible. */
function openInBrowser(url: string, failed: (sentence: string) => void): void {
  const [command, ...args] = openers[process.platform] ?? ['xdg-open']
  const fail = (reason: string) => failed(`--open: ${reason}, so no browser was opened; open ${url} yourself`)
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
  child.on('error', () => fail(`this machine has no ${command}`))
  child.on('exit', (code) => {
    if (code !== null && code !== 0) fail(`${command} found no browser`)
  })
  child.unref()
}

/** How each system opens a URL with the browser of the user; others have `xdg-open`. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [command: string, ...args: string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}
