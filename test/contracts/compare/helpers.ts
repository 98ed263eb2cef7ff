import fc from 'fast-check'
import { createMint, newMarks } from '../../../contracts/client/mint.ts'
import { createTarget } from '../../../contracts/client/target/target.ts'
import type { Send } from '../../../contracts/client/transport.ts'
import { type SearchResult, search, type SearchOptions } from '../../../contracts/compare/search.ts'
import { Side } from '../../../contracts/compare/side.ts'
import { startComparedSandbox } from '../../../cli/own-target.ts'
import { assumption, type AssumptionName, assumptionNames } from '../../../spec/assumptions.ts'
import type { WrittenChoices } from '../../../spec/choices.ts'

interface Compared extends Partial<
  Pick<SearchOptions, 'steps' | 'seed' | 'most' | 'choices' | 'undetermined' | 'wording' | 'ignored'>
> {
  /** The choices of the server. */
  readonly assume?: WrittenChoices
  /** Changes the answers of the server. */
  readonly between?: (send: Send) => Send
}

/** Compares a sandbox, which may be changed on the way, with another one. */
export async function compareSandboxes({
  assume = {},
  between = (send) => send,
  choices = assume,
  undetermined,
  steps = 500,
  seed = 1,
  most = 1,
  wording = false,
  ignored = [],
}: Compared): Promise<SearchResult> {
  const started = await startComparedSandbox(assume, [])
  try {
    const target = createTarget(started.wanted, started.credentials)
    let intents = 0
    const ledger = { intend: () => String(++intents), record: () => undefined }
    const server = new Side({ target, mint: createMint(newMarks()), ledger, send: between(started.send) })
    const startSandbox = startComparedSandbox
    return await search({ server, startSandbox, choices, undetermined, steps, seed, most, wording, ignored })
  } finally {
    await started.stop()
  }
}

/** A choice for every entry, the same for the same seed; a limited rate would end the run. */
export function drawChoices(seed: number, milliseconds = 20): WrittenChoices {
  const drawn = fc.sample(
    fc.record(Object.fromEntries(assumptionNames.map((name) => [name, choiceFor(name, milliseconds)]))),
    {
      seed,
      numRuns: 1,
    },
  )
  return { ...drawn[0], rateLimit: 'none' }
}

const choiceFor = (name: AssumptionName, milliseconds: number) =>
  fc.constantFrom(...Object.entries(assumption(name).choices)).map(([choice, meaning]) => {
    if (typeof meaning === 'string') return choice
    return `${choice}:${meaning.amount.unit === 'milliseconds' ? milliseconds : meaning.amount.usual}`
  })
