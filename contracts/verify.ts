import { mkdtempSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Secrets } from '../shared/redaction.ts'
import { clean, type Residue } from '../client/ledger/clean.ts'
import { Client } from '../client/client.ts'
import { readKnown } from './known-deviations.ts'
import { Ledger, readLedger, unresolvedLedgers } from '../client/ledger/ledger.ts'
import { mintOf, newMarks } from '../client/mint.ts'
import { CannotVerify, type CheckResult } from './judge/outcome.ts'
import { redacted, type Report, reportOf } from './reports/report.ts'
import { runChecks } from './run.ts'
import { chosenFrom } from './selection.ts'
import {
  type Credentials,
  plainTarget,
  secretsOf,
  type Target,
  targetFrom,
  type Wanted,
} from '../client/target/target.ts'
import { saidInAll } from '../client/target/target-file.ts'
import { send, Unanswered } from '../client/transport.ts'

export interface VerifyOptions extends Wanted {
  /** A YAML or JSON file, readable by its owner alone, with these options and the credentials. */
  readonly target?: string | undefined
  /** Starts what is verified when no base URL is given. */
  readonly startTarget?: StartTarget | undefined
  /** Groups, ids of promises, or beginnings of ids. */
  readonly only?: readonly string[] | undefined
  readonly operation?: readonly string[] | undefined
  /** Runs the checks in an order of its own. */
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
  began(target: Target): void
  ended(result: CheckResult): void
}

/** A server that was started to be verified. */
export interface StartedTarget {
  readonly wanted: Wanted
  readonly credentials: Credentials<string>
  stop(): Promise<void>
}
export type StartTarget = () => Promise<StartedTarget>

const usualLedgers = '.crm-sandbox'

/** Holds a server to every promise that is chosen, cleans up after itself, and tells what it found. */
export async function verify(options: VerifyOptions = {}): Promise<Report> {
  const { startTarget, env = process.env } = options
  const said = saidInAll(options, env)
  if (said.wanted.baseUrl !== undefined) return verifyTarget(targetFrom(said.wanted, said.credentials), options)
  if (!startTarget) throw new CannotVerify('There is nothing to verify: name a server with --base-url or CRM_BASE_URL.')

  const started = await startTarget()
  // It goes when the run goes, and so does all that is made in it.
  const ledgers = mkdtempSync(join(tmpdir(), 'crm-sandbox-'))
  try {
    const target = targetFrom({ ...started.wanted, ...said.wanted }, started.credentials)
    return await verifyTarget(target, { ...options, ledgers })
  } finally {
    rmSync(ledgers, { recursive: true, force: true })
    await started.stop()
  }
}

/** Finishes what a run has left behind that was killed. */
export async function cleanLedger(path: string, options: VerifyOptions = {}): Promise<readonly Residue[]> {
  const { heading } = readLedger(path)
  const env = { ...(options.env ?? process.env), CRM_BASE_URL: undefined }
  const { wanted, credentials } = saidInAll({ ...options, baseUrl: options.baseUrl ?? heading.origin }, env)
  const target = targetFrom({ ...wanted, upTo: 'read' }, credentials)
  if (target.origin !== heading.origin) throw new CannotVerify(`${path} is about ${heading.origin}, and nothing else.`)
  return cleanUp(path, target)
}

async function verifyTarget(target: Target, options: VerifyOptions): Promise<Report> {
  const { signal, seed, progress, ledgers = usualLedgers } = options
  if (!target.credentials.team) throw new CannotVerify('The key of a team is missing: set CRM_API_KEY.')
  const chosen = chosenFrom(options.only, options.operation)
  const known = options.known === undefined ? [] : readKnown(options.known)
  const [before] = unresolvedLedgers(ledgers, target.origin)
  if (before !== undefined) {
    throw new CannotVerify(`An earlier run left records on ${target.host}; first finish it: verify --clean ${before}`)
  }
  await checkReachable(target)

  const startedAt = new Date()
  const marks = newMarks()
  const ledger = join(ledgers, `${marks.run}.jsonl`)
  Ledger.create(ledger, { ledger: 1, origin: target.origin, startedAt: startedAt.toISOString(), ...marks }).close()
  progress?.began(target)
  const secrets = new Secrets(...secretsOf(target))
  const redact = (text: string) => secrets.redact(text)
  const onResult = (result: CheckResult) => progress?.ended(redacted(result, redact))
  const run = await runChecks({ target: plainTarget(target), marks, ledger, chosen }, { onResult, seed, signal })
  const residue = await cleanUp(ledger, target)
  const facts = { target, chosen, run, residue, known, startedAt, endedAt: new Date() }
  return redacted(reportOf({ ...facts, interrupted: signal?.aborted ?? false }), redact)
}

/** With a client that may delete whatever the ledger names. A ledger that is over has nothing left to say. */
async function cleanUp(path: string, target: Target): Promise<readonly Residue[]> {
  const { heading, entries } = readLedger(path)
  const mint = mintOf(heading)
  const ledger = Ledger.open(path)
  // What it makes while it looks for something, it deletes; the entry that it looks for stays until then.
  const silent = { intend: () => '', record: () => undefined }
  // What it may delete, the ledger says.
  const guard = { check: () => undefined, remember: () => undefined }
  const client = new Client({ target, mint, send, ledger: silent, guard })
  try {
    const residue = await clean(entries, { client, mint, ledger })
    if (residue.length === 0) removeLedger(path)
    return residue
  } finally {
    ledger.close()
  }
}

/** And the folder that only we needed, unless another ledger is in it. */
function removeLedger(path: string): void {
  rmSync(path)
  const folder = dirname(path)
  if (folder === usualLedgers && readdirSync(folder).length === 0) rmdirSync(folder)
}

/** One read, to tell a server that is not there from one that breaks its promises. */
async function checkReachable({ origin, timeout }: Target): Promise<void> {
  try {
    const url = `${origin}/api/templates?page=1&limit=1&types=sms&statuses=approved`
    await send({ method: 'GET', url, headers: { accept: 'application/json' } }, timeout)
  } catch (error) {
    if (error instanceof Unanswered && !error.cut)
      throw new CannotVerify(`${origin} cannot be reached: ${error.message}.`)
    if (!(error instanceof Unanswered)) throw error
  }
}
