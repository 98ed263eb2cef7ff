import { expect, it } from 'vitest'
import type { FaultToAdd } from '../../mock/faults/schemas.ts'
import { createSandbox } from '../../mock/create-sandbox.ts'
import { chances, namedStores } from '../store/harness.ts'
import { twoTeams } from '../mock/harness.ts'
import { inTier } from '../tier.ts'

// As a client does that survives a network: it repeats a send with its key until an answer arrives whole.

const tries = inTier({ test: 50, ci: 300, nightly: 1_000 })
/** The same faults each time. */
const seed = 20260301

it.each(namedStores)(
  `a send that is repeated with its key makes one message, in ${tries} tries: $store`,
  async ({ place }) => {
    await using sandbox = await createSandbox({ world: twoTeams, store: await place() })
    const random = chances(seed)
    const lost = { count: 0 }
    for (let attempt = 0; attempt < tries; attempt++) {
      const planned = 1 + Math.floor(random() * 3)
      for (let at = 0; at < planned; at++) await sandbox.faults.add({ ...pick(faults, random), times: 1 })
      const body = JSON.stringify({
        channel: 'sms',
        content: `${attempt}`,
        providerId: 'sms-provider',
        to: '+14155550123',
      })
      await untilAnswered(lost, () =>
        sandbox.fetch('/api/messages/sendMessage', {
          method: 'POST',
          headers: { 'x-api-key': 'acme-key', 'content-type': 'application/json', 'idempotency-key': `key ${attempt}` },
          body,
        }),
      )
    }
    const contents = (await sandbox.world()).teams[0]?.messages?.map(({ content }) => Number(content))
    expect(contents).toEqual(Array.from({ length: tries }, (_, at) => at))
    expect(lost.count).toBeGreaterThan(tries)
  },
)

const faults: readonly FaultToAdd[] = [
  { connection: 'reset' },
  { status: 503 },
  { status: 500 },
  { phase: 'beforeCommit', connection: 'close' },
  { phase: 'beforeCommit', status: 500 },
  { phase: 'beforeCommit', delay: 1 },
  { phase: 'afterCommit', connection: 'close' },
  { phase: 'afterCommit', connection: 'reset' },
  { phase: 'afterCommit', status: 502 },
  { phase: 'afterCommit', body: 'cut' },
  { phase: 'afterCommit', body: 'notJson' },
  { phase: 'inBody', connection: 'close' },
]

async function untilAnswered(lost: { count: number }, send: () => Promise<Response>): Promise<void> {
  for (;;) {
    try {
      const answer = await send()
      const { success } = (await answer.json()) as { success: boolean }
      if (success && answer.status === 200) return
    } catch {
      // The client cannot know whether the message was sent.
    }
    lost.count++
  }
}

const pick = <Item>(items: readonly Item[], random: () => number) => items[Math.floor(random() * items.length)] as Item
