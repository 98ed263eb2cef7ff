import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CannotRun } from '../client/errors.ts'
import type { Residue } from '../client/ledger/clean.ts'
import { readLedger } from '../client/ledger/ledger.ts'
import { checkEarlierRuns, finishLedger, startLedger } from '../client/ledger/run-ledger.ts'
import { type FirstAnswers, sendFirstRequests } from '../client/first-requests.ts'
import { redactorFor } from '../client/redaction.ts'
import type { Credentials } from '../client/target/credentials.ts'
import { gatherSettings } from '../client/target/target-file.ts'
import { createTarget, type Target, type TargetOptions, toPlain } from '../client/target/target.ts'
import type { Transport } from '../client/transport.ts'
import { undiciTransport } from '../client/undici-transport.ts'
import type { CheckResult } from './judge/outcome.ts'
import { readKnownDeviations } from './known-deviations.ts'
import { buildReport, redactAll, type Report } from './reports/report.ts'
import { missingFor } from './optional-packages.ts'
import { runChecks } from './run.ts'
import { readSelection } from './selection.ts'

export interface VerifyOptions extends TargetOptions {
  /** A YAML or JSON file, readable by its owner alone, with these options and the credentials. */
  readonly target?: string | undefined
  /** Starts the server to verify when no base URL is given. */
  readonly startTarget?: StartTarget | undefined
  /** Groups, ids of promises, or beginnings of ids. */
  readonly only?: readonly string[] | undefined
  readonly operation?: readonly string[] | undefined
  /** Runs the checks in a random order, the same for the same seed. */
  readonly seed?: number | undefined
  /** A file of known deviations. */
  readonly known?: string | undefined
  /** The folder of the ledgers. */
  readonly ledgers?: string | undefined
  readonly env?: NodeJS.ProcessEnv
  /** Stops the run; what it made is cleaned up all the same. */
  readonly signal?: AbortSignal | undefined
  /** Called as the run begins, and as each check ends. */
  readonly progress?: Progress | undefined
}

export interface Progress {
  began(target: Target, first: FirstAnswers): void
  ended(result: CheckResult): void
}

/** A server that was started to be verified. */
export interface StartedTarget {
  readonly wanted: TargetOptions
  readonly credentials: Credentials<string>
  stop(): Promise<void>
}
export type StartTarget = () => Promise<StartedTarget>

/** Compares a server with every selected promise, cleans up, and reports what it found. */
export async function verify(options: VerifyOptions = {}): Promise<Report> {
  const { startTarget, env = process.env } = options
  const missing = missingFor('verify')
  if (missing !== undefined) throw new CannotRun(missing)
  const { wanted, credentials } = gatherSettings(options, env)
  if (wanted.baseUrl !== undefined) return verifyTarget(createTarget(wanted, credentials), options)
  if (!startTarget) throw new CannotRun('There is nothing to verify: name a server with --base-url or CRM_BASE_URL.')

  const started = await startTarget()
  // The server and its records end with the run, so its ledger is not needed afterwards.
  const ledgers = mkdtempSync(join(tmpdir(), 'crm-sandbox-'))
  try {
    const target = createTarget({ ...started.wanted, ...wanted }, started.credentials)
    return await verifyTarget(target, { ...options, ledgers })
  } finally {
    rmSync(ledgers, { recursive: true, force: true })
    await started.stop()
  }
}

/** Deletes what a killed run has left behind. */
export async function cleanLedger(path: string, options: VerifyOptions = {}): Promise<readonly Residue[]> {
  const { heading } = readLedger(path)
  const env = { ...(options.env ?? process.env), CRM_BASE_URL: undefined }
  const { wanted, credentials } = gatherSettings({ ...options, baseUrl: options.baseUrl ?? heading.origin }, env)
  const target = createTarget({ ...wanted, upTo: 'read' }, credentials)
  if (target.origin !== heading.origin) throw new CannotRun(`${path} is about ${heading.origin}, and nothing else.`)
  return redactAll(await finishLedger(path, target), redactorFor(target))
}

async function verifyTarget(target: Target, options: VerifyOptions): Promise<Report> {
  const { signal, seed, progress } = options
  if (!target.credentials.team) throw new CannotRun('The key of a team is missing: set CRM_API_KEY.')
  const selection = readSelection(options.only, options.operation)
  const known = options.known === undefined ? [] : readKnownDeviations(options.known)
  checkEarlierRuns(target, options.ledgers)
  const first = await withTransport(target, ({ send }) => sendFirstRequests(target, send, signal))

  const startedAt = new Date()
  const { path: ledger, marks } = startLedger(target, startedAt, options.ledgers)
  progress?.began(target, first)
  const redact = redactorFor(target)
  const onResult = (result: CheckResult) => progress?.ended(redactAll(result, redact))
  const run = await runChecks({ target: toPlain(target), marks, ledger, selection }, { onResult, seed, signal })
  const residue = await finishLedger(ledger, target)
  const facts = { target, selection, run, residue, known, startedAt, endedAt: new Date() }
  return redactAll(buildReport({ ...facts, interrupted: signal?.aborted ?? false }), redact)
}

async function withTransport<Value>({ origin }: Target, use: (transport: Transport) => Promise<Value>): Promise<Value> {
  const transport = undiciTransport(origin)
  try {
    return await use(transport)
  } finally {
    await transport.close()
  }
}
