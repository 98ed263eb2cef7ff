import { createMint, newMarks } from '../../client/mint.ts'
import { createTarget } from '../../client/target/target.ts'
import { undiciTransport } from '../../client/undici-transport.ts'
import { Asker } from '../../learn/ask.ts'
import type { Finding } from '../../learn/probe.ts'
import { startOwnTarget } from '../../own-target.ts'
import type { AssumptionName } from '../../spec/assumptions.ts'
import type { WrittenChoices } from '../../spec/choices.ts'

/** Asks a sandbox that made these choices. */
export async function askSandbox(
  assume: WrittenChoices,
  names: readonly AssumptionName[],
): Promise<Map<AssumptionName, Finding>> {
  const started = await startOwnTarget({ assume })
  const target = createTarget(started.wanted, started.credentials)
  const transport = undiciTransport(target.origin, target.tls)
  let written = 0
  const ledger = { intend: () => String(++written), record: () => undefined }
  try {
    const asker = new Asker({ target, mint: createMint(newMarks()), ledger, send: transport.send, patience: 300 })
    const findings = new Map<AssumptionName, Finding>()
    for (const name of names) findings.set(name, await asker.ask(name))
    return findings
  } finally {
    await transport.close()
    await started.stop()
  }
}
