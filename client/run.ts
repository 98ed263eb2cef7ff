import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Cleaned, deleteCreated } from './clean.ts'
import { CannotRun } from './errors.ts'
import { type FirstAnswers, sendFirstRequests } from './first-requests.ts'
import { defaultFolder, Ledger } from './ledger.ts'
import { createMint, type Mint, newMarks } from './mint.ts'
import type { Credentials } from './target/credentials.ts'
import { removeSecondTeam, withSandboxSettings } from './target/sandbox-settings.ts'
import { gatherSettings, type Settings } from './target/target-file.ts'
import { createTarget, type Target, type TargetOptions } from './target/target.ts'
import { type Transport, undiciTransport } from './transport.ts'

/** Which server a run is about. */
export interface ReachOptions extends TargetOptions {
  /** A YAML or JSON file, readable by its owner alone, with these options and the credentials. */
  readonly target?: string | undefined
  /** Starts the server when no base URL is given. */
  readonly startTarget?: StartTarget | undefined
  /** The folder of the ledgers. */
  readonly ledgers?: string | undefined
  readonly env?: NodeJS.ProcessEnv
  /** Stops the run; what it made is cleaned up all the same. */
  readonly signal?: AbortSignal | undefined
}

/** A server that was started for a run. */
export interface StartedTarget {
  readonly wanted: TargetOptions
  readonly credentials: Credentials<string>
  stop(): Promise<void>
}
export type StartTarget = () => Promise<StartedTarget>

/** A server that answers, and accepts the credentials. */
export interface Reached<Prepared> {
  readonly target: Target
  readonly first: FirstAnswers
  /** The folder of the ledgers. */
  readonly ledgers: string | undefined
  readonly prepared: Prepared
}

interface Run<Prepared, Value> {
  /** What the run is for, such as `verify`. */
  readonly purpose: string
  /** Finds what is wrong with the options before anything is sent. */
  readonly prepare: (target: Target) => Prepared
  readonly run: (reached: Reached<Prepared>) => Promise<Value>
}

/** Runs something on the server that the options name or, when they name none, on one that is started for it. */
export async function onTarget<Prepared, Value>(
  options: ReachOptions,
  { purpose, prepare, run }: Run<Prepared, Value>,
) {
  const { startTarget, env = process.env, signal } = options
  const settings = gatherSettings(options, env)
  const { wanted } = settings
  if (wanted.baseUrl !== undefined) return onNamed(settings)
  if (!startTarget)
    throw new CannotRun(`There is nothing to ${purpose}: name a server with --base-url or CRM_BASE_URL.`)

  const started = await startTarget()
  // The server and its records end with the run, so its ledger is not needed afterwards.
  const ledgers = mkdtempSync(join(tmpdir(), 'crm-sandbox-'))
  try {
    const target = createTarget({ ...started.wanted, ...wanted }, started.credentials)
    const first = await ask(target)
    return await run({ target, first, ledgers, prepared: prepare(target) })
  } finally {
    rmSync(ledgers, { recursive: true, force: true })
    await started.stop()
  }

  /** With a key, first the server must answer: what is asked of a control plane says nothing about it. */
  async function onNamed(given: Settings): Promise<Value> {
    if (given.credentials.team !== undefined) return onAsked(given, () => withSandboxSettings(given))
    const told = await withSandboxSettings(given)
    try {
      return await onAsked(told, async () => told)
    } finally {
      if (given.credentials.otherTeam === undefined) await removeSecondTeam(told)
    }
  }

  async function onAsked(asked: Settings, tell: () => Promise<Settings>): Promise<Value> {
    const target = createTarget(asked.wanted, asked.credentials)
    if (!target.credentials.team) throw new CannotRun('The key of a team is missing: set CRM_API_KEY.')
    const prepared = prepare(target)
    const first = await ask(target)
    const told = await tell()
    return run({ target: createTarget(told.wanted, told.credentials), first, ledgers: options.ledgers, prepared })
  }

  function ask(target: Target): Promise<FirstAnswers> {
    return withTransport(target, ({ send }) => sendFirstRequests(target, send, signal))
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

/** Runs something that writes the records it makes into a ledger, and deletes them afterwards. */
export async function withLedger<Value>(
  target: Target,
  folder = defaultFolder,
  act: (ledger: Ledger, mint: Mint) => Promise<Value>,
): Promise<readonly [Value, Cleaned]> {
  const ledger = Ledger.create(folder, target, { ledger: 'check', ...newMarks() })
  try {
    const value = await act(ledger, createMint(ledger.heading, target.emailDomain))
    ledger.refresh()
    return [value, await deleteCreated(ledger, target)]
  } finally {
    ledger.close()
  }
}
