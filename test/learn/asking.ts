import { createMint, newMarks } from '../../client/mint.ts'
import type { StartedTarget } from '../../client/run.ts'
import { createTarget } from '../../client/target/target.ts'
import { undiciTransport } from '../../client/transport.ts'
import { Prober } from '../../learn/prober.ts'
import type { Finding } from '../../learn/probe.ts'
import { startOwnTarget } from '../../own-target.ts'
import type { AssumptionName } from '../../spec/assumptions.ts'
import type { WrittenChoices } from '../../spec/choices.ts'

type Findings = ReadonlyMap<AssumptionName, Finding>

/** Asks a sandbox that made these choices. */
export async function askSandbox(assume: WrittenChoices, names: readonly AssumptionName[]): Promise<Findings> {
  const started = await startOwnTarget({ assume })
  try {
    return await askServer(started, names)
  } finally {
    await started.stop()
  }
}

/** Asks a server; nothing is written down, since it ends with the test. */
export async function askServer(
  { wanted, credentials }: Pick<StartedTarget, 'wanted' | 'credentials'>,
  names: readonly AssumptionName[],
): Promise<Findings> {
  const target = createTarget(wanted, credentials)
  const transport = undiciTransport(target.origin, target.tls)
  let written = 0
  const ledger = { intend: () => String(++written), record: () => undefined }
  try {
    const prober = new Prober({ target, mint: createMint(newMarks()), ledger, send: transport.send, patience: 300 })
    for (const name of names) await prober.probe(name)
    return prober.findings
  } finally {
    await transport.close()
  }
}
