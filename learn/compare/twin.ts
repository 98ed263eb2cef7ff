import { createMint, newMarks } from '../../client/mint.ts'
import type { StartedTarget } from '../../client/reach-target.ts'
import { createTarget, type Target } from '../../client/target/target.ts'
import type { Send } from '../../client/transport.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import type { Profile } from '../../spec/profile.ts'
import type { Voice } from '../../spec/voice/voice.ts'
import { type OldTemplate, Side, type Trace } from './side.ts'
import type { Walk } from './walk.ts'

/** A sandbox in process, which is asked through `send`. */
interface Twin extends StartedTarget {
  readonly send: Send
}

/** Starts a sandbox that made these choices and speaks so, whose teams have these templates. */
export type StartTwin = (profile: Profile, templates: readonly OldTemplate[]) => Promise<Twin>

interface TwinWalk {
  readonly choices: WrittenChoices
  /** The templates that the server had before the same walk. */
  readonly before: readonly OldTemplate[]
  /** What the server did; what was not sent to it is not sent to the sandbox either. */
  readonly server: Trace
}

/** Takes walks through new sandboxes, each with what the server had. */
export class Twins {
  readonly #start: StartTwin
  readonly #server: Target
  readonly #voice: Voice | undefined

  constructor(start: StartTwin, server: Target, voice?: Voice) {
    this.#start = start
    this.#server = server
    this.#voice = voice
  }

  async take(walk: Walk, { choices, before, server }: TwinWalk): Promise<Trace> {
    // A list begins with the newest, unless it is known to begin with the oldest.
    const inOrder = choices.templateOrder === 'oldestFirst' ? before : before.toReversed()
    const voice = this.#voice
    const unlimited = { ...choices, rateLimit: 'none' } as const
    const twin = await this.#start({ choices: unlimited, ...(voice ? { voice } : {}) }, inOrder)
    try {
      const target = this.#targetOf(twin)
      const mint = createMint(newMarks(), target.emailDomain)
      const side = new Side({ target, mint, ledger, send: twin.send, guard, voice })
      return await side.take(walk, before, server)
    } finally {
      await twin.stop()
    }
  }

  #targetOf({ wanted, credentials }: Twin): Target {
    const { emailDomain, mediaUrl, places, timeout } = this.#server
    const target = createTarget(wanted, credentials)
    return {
      ...target,
      emailDomain,
      timeout,
      ...(mediaUrl === undefined ? {} : { mediaUrl }),
      // What the server need not have, the sandbox must not have.
      places: { ...target.places, ...(places.pipeline === undefined ? { pipeline: undefined, stage: undefined } : {}) },
    }
  }
}

/** A sandbox ends with its walk, and sends nothing to real people. */
const ledger = { intend: () => '', record: () => undefined }
const guard = { check: () => undefined, remember: () => undefined, giveBack: () => undefined }
