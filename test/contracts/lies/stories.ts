import { takingTime } from '../other-server/without-waiting.ts'
import type { situations } from '../../../contracts/situations/situations.ts'
import { Client } from '../../../contracts/client/client.ts'
import { createMint, newMarks } from '../../../contracts/client/mint.ts'
import { createTarget } from '../../../contracts/client/target/target.ts'
import { createTools } from '../../../contracts/client/tools.ts'
import type { Send } from '../../../contracts/client/transport.ts'
import { CheckLogs } from '../../../contracts/judge/check-log.ts'
import { storyTools } from '../../../contracts/judge/story.ts'
import type { Finding } from '../../../contracts/judge/outcome.ts'

import { credentials, otherTarget, sendTo, Service } from '../other-server/server.ts'
import type { Switches } from '../other-server/switches.ts'

export type Situation = ReturnType<typeof situations>[number]

/** Tells stories to another server of our own, one after another; yields what the laws found broken so far. */
export async function* tell(
  stories: readonly Situation[],
  change: (send: Send) => Send,
  choices: Partial<Switches> = { bulkAfter: 0, repeatedKey: 'replayed' },
): AsyncGenerator<readonly Finding[]> {
  const service = new Service(choices)
  const target = createTarget(otherTarget('http://127.0.0.1').wanted, credentials)
  const mint = createMint(newMarks(), target.emailDomain)
  const observer = new CheckLogs()
  const log = observer.begin(true)
  const ledger = { intend: () => '', record: () => undefined }
  const client = new Client({ target, mint, observer, ledger, send: takingTime(change(sendTo(service))) })
  const tools = storyTools(createTools(client, target, mint))
  for (const { story } of stories) {
    await observer.run(log, () => story(tools))
    yield log.summary().faults
  }
}
