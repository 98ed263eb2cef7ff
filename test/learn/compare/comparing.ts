import { createMint, newMarks } from '../../../client/mint.ts'
import { createTarget } from '../../../client/target/target.ts'
import type { Send } from '../../../client/transport.ts'
import { type Outcome, type RoundsOptions, takeRounds } from '../../../learn/compare/rounds.ts'
import { Side } from '../../../learn/compare/side.ts'
import { Twins } from '../../../learn/compare/twin.ts'
import { startTwin } from '../../../own-target.ts'
import type { WrittenChoices } from '../../../spec/choices.ts'
import type { Voice } from '../../../spec/voice/voice.ts'

interface Compared extends Partial<Pick<RoundsOptions, 'steps' | 'seed' | 'most' | 'choices' | 'untold' | 'wording'>> {
  /** What the server chose. */
  readonly assume?: WrittenChoices
  /** How the server speaks. */
  readonly speaks?: Voice
  /** What the profile says of that. */
  readonly voice?: Voice
  /** What stands between the walk and the server. */
  readonly between?: (send: Send) => Send
}

/** Compares a sandbox, which may be changed on the way, with another one. */
export async function compareSandboxes({
  assume = {},
  speaks,
  voice,
  between = (send) => send,
  choices = assume,
  untold,
  steps = 500,
  seed = 1,
  most = 1,
  wording = false,
}: Compared): Promise<Outcome> {
  const started = await startTwin({ choices: assume, ...(speaks ? { voice: speaks } : {}) }, [])
  try {
    const target = createTarget(started.wanted, started.credentials)
    let intents = 0
    const ledger = { intend: () => String(++intents), record: () => undefined }
    const server = new Side({ target, mint: createMint(newMarks()), ledger, send: between(started.send), voice })
    const twins = new Twins(startTwin, target, voice)
    return await takeRounds({ server, twins, choices, untold, steps, seed, most, wording })
  } finally {
    await started.stop()
  }
}
