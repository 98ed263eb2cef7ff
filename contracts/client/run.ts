import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Cleaned, deleteCreated } from './clean.ts'
import { CannotRun } from './errors.ts'
import { type FirstAnswers, sendFirstRequests } from './first-requests.ts'
import { checkEarlierRuns, defaultFolder, Ledger } from './ledger.ts'
import { createMint, type Mint, newMarks } from './mint.ts'
import type { Credentials } from './target/credentials.ts'
import { removeSecondTeam, withSandboxSettings } from './target/sandbox-settings.ts'
import { gatherSettings } from './target/target-file.ts'
import { createTarget, type Target, type TargetOptions } from './target/target.ts'
import { type Send, type Transport, undiciTransport } from './transport.ts'

/** The server of a run. */
export interface ReachOptions extends TargetOptions {
  /** A YAML or JSON file, readable by its owner alone, with these options and the credentials. */
  readonly target?: string | undefined
  /** Starts a server for a run without a base URL. */
  readonly startTarget?: StartTarget | undefined
  /** The folder of the ledgers. */
  readonly ledgers?: string | undefined
  readonly env?: NodeJS.ProcessEnv
  /** Stops the run; the run still deletes its records. */
  readonly signal?: AbortSignal | undefined
}

/** A server that was started for a run. */
export interface StartedTarget {
  readonly wanted: TargetOptions
  readonly credentials: Credentials
  stop(): Promise<void>
}
export type StartTarget = () => Promise<StartedTarget>

/** A server that answers and accepts the credentials. */
export interface Reached {
  readonly target: Target
  readonly first: FirstAnswers
  readonly ledgers: string | undefined
}

/**
 * Runs something on the server that the options name or, without one, on a server that is started for the run. `purpose`
 * is the verb for messages, such as `verify`.
 */
export async function onTarget<Value>(
  options: ReachOptions,
  purpose: string,
  run: (reached: Reached) => Promise<Value>,
): Promise<Value> {
  if (options.ledgers?.trim() === '') throw new CannotRun((nameOf) => `${nameOf('ledgers')} must name a folder.`)
  const settings = gatherSettings(options, options.env)
  const ask = (target: Target) => withTransport(target, ({ send }) => sendFirstRequests(target, send, options.signal))
  if (settings.wanted.baseUrl === undefined) {
    if (!options.startTarget)
      throw new CannotRun(`There is nothing to ${purpose}: name a server with --base-url or CRM_BASE_URL.`)
    const started = await options.startTarget()
    // The records end with the server, so their ledger is temporary.
    const ledgers = mkdtempSync(join(tmpdir(), 'crm-sandbox-'))
    try {
      const target = createTarget({ ...started.wanted, ...settings.wanted }, started.credentials)
      return await run({ target, first: await ask(target), ledgers })
    } finally {
      rmSync(ledgers, { recursive: true, force: true })
      await started.stop()
    }
  }
  createTarget(settings.wanted, settings.credentials) // refuses wrong options before the first request
  // With a key, the first requests go to the API. The control plane is optional.
  const isKeyed = settings.credentials.team !== undefined
  let found = isKeyed ? settings : await withSandboxSettings(settings)
  try {
    const named = createTarget(found.wanted, found.credentials)
    if (!named.credentials.team) throw new CannotRun('The key of a team is missing: set CRM_API_KEY.')
    const first = await ask(named)
    if (isKeyed) found = await withSandboxSettings(settings)
    return await run({ target: createTarget(found.wanted, found.credentials), first, ledgers: options.ledgers })
  } finally {
    if (settings.credentials.otherTeam === undefined) await removeSecondTeam(found)
  }
}

export async function withTransport<Value>(
  { origin, tls }: Target,
  use: (transport: Transport) => Promise<Value>,
): Promise<Value> {
  const transport = undiciTransport(origin, tls)
  try {
    return await use(transport)
  } finally {
    await transport.close()
  }
}

/** Adds the earlier runs that may have left records. Throws `CannotRun` after such a run beyond this machine. */
export const withEarlierRuns = ({ target, first, ledgers }: Reached): FirstAnswers => ({
  ...first,
  doubts: [...first.doubts, ...checkEarlierRuns(target, ledgers)],
})

/** Runs something that records what it creates in a ledger, and deletes the records afterwards. */
export async function withLedger<Value>(
  target: Target,
  folder = defaultFolder,
  act: (run: { readonly ledger: Ledger; readonly mint: Mint; readonly send: Send }) => Promise<Value>,
): Promise<readonly [Value, Cleaned]> {
  const ledger = Ledger.create(folder, target, { ledger: 'check', ...newMarks() })
  try {
    const mint = createMint(ledger.heading, target.emailDomain)
    const value = await withTransport(target, ({ send }) => act({ ledger, mint, send }))
    ledger.close()
    // A worker may have added lines.
    const atOnce = target.concurrency
    return [value, await deleteCreated(Ledger.open(ledger.path, target), target, { atOnce })]
  } finally {
    ledger.close()
  }
}
