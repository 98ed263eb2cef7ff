import type { IncomingMessage, ServerResponse } from 'node:http'
import { vi } from 'vitest'
import { createMint, newMarks } from '../../../contracts/client/mint.ts'
import type { StartedTarget } from '../../../contracts/client/run.ts'
import { createTarget } from '../../../contracts/client/target/target.ts'
import { type Incoming, type Outgoing, undiciTransport } from '../../../contracts/client/transport.ts'
import { Prober } from '../../../contracts/learn/prober.ts'
import type { Finding } from '../../../contracts/judge/outcome.ts'
import type { ProbeFinding } from '../../../contracts/questions/finding.ts'
import { startOwnTarget } from '../../../cli/own-target.ts'
import { assumption, type AssumptionName, assumptionNames } from '../../../spec/assumptions.ts'
import type { WrittenChoices } from '../../../spec/choices.ts'

/** With what the server did meanwhile that breaks a promise. */
type Findings = ReadonlyMap<AssumptionName, ProbeFinding> & { readonly broken: readonly Finding[] }

/** Changes a request or the response to it. */
export type Change = (request: Outgoing, pass: (request: Outgoing) => Promise<Incoming>) => Promise<Incoming> | Incoming

interface Options {
  readonly change?: Change
  /** How long to wait for a later effect, in milliseconds. */
  readonly patience?: number
  readonly redact?: (text: string) => string
}

/** Asks a sandbox that made these choices. */
export async function askSandbox(
  assume: WrittenChoices,
  names: readonly AssumptionName[],
  options?: Options,
): Promise<Findings> {
  const started = await startOwnTarget({ assume })
  try {
    return await askServer(started, names, options)
  } finally {
    await started.stop()
  }
}

/** One for all runs: two mints could make the same phone number, and nothing deletes the contacts of a run. */
const mint = createMint(newMarks())

/** Asks a server; nothing is written down, since it ends with the test. */
export async function askServer(
  { wanted, credentials }: Pick<StartedTarget, 'wanted' | 'credentials'>,
  names: readonly AssumptionName[],
  { change = (request, pass) => pass(request), patience = 300, redact = (text) => text }: Options = {},
): Promise<Findings> {
  const target = createTarget(wanted, credentials)
  const transport = undiciTransport(target.origin, target.tls)
  let written = 0
  const ledger = { intend: () => String(++written), record: () => undefined }
  const send = async (request: Outgoing, timeout: number) => {
    if (vi.isFakeTimers()) await vi.advanceTimersByTimeAsync(1) // a request takes time
    return change(request, ({ headers: { 'content-length': _, ...headers }, ...changed }) =>
      transport.send({ ...changed, headers }, timeout),
    )
  }
  try {
    const prober = new Prober({ target, mint, ledger, send, patience, redact })
    const findings = new Map<AssumptionName, ProbeFinding>()
    for (const name of names) findings.set(name, await prober.probe(name))
    return Object.assign(findings, { broken: prober.broken })
  } finally {
    await transport.close()
  }
}

/** Answers a request with the response of another server. */
export async function forward(
  origin: string,
  { method = '', url = '', headers }: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): Promise<void> {
  const passed = Object.entries(headers).filter(([header]) => !/^(host|connection|content-length)$/.test(header))
  const answer = await fetch(origin + url, {
    method,
    headers: passed as [string, string][],
    ...(body.length > 0 ? { body } : {}),
  })
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
}

/** The choices that the register itself marks as beyond any client, with the reason in its words. */
const beyondClients: readonly (readonly [AssumptionName, choice: string])[] = assumptionNames.flatMap((name) => {
  const { probe, choices, beyondClients = {} } = assumption(name)
  const isNever = typeof probe === 'object' && 'never' in probe
  const marked = Object.keys(choices).filter((choice) => isNever || beyondClients[choice] !== undefined)
  return marked.map((choice) => [name, choice] as const)
})

export const isBeyondClients = (name: AssumptionName, choice: string) =>
  beyondClients.some(([marked, beyond]) => marked === name && beyond === choice)

/** Entries that a default sandbox does not show, whatever its choice; its team is in the time zone UTC. */
export const undetermined: Readonly<Partial<Record<AssumptionName, RegExp>>> = {
  keyRetention: /more than a day/,
  rateLimit: /would have to be reached/,
  bulkRecipientLimit: /would have to be messaged/,
  // Only near midnight do the zones differ in the date.
  groupDateZone: /at this hour/,
  scheduleZone: /may be the time zone of the team/,
}
