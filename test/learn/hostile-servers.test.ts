import { expect, it, onTestFinished } from 'vitest'
import { createMint, newMarks } from '../../client/mint.ts'
import { createTarget } from '../../client/target/target.ts'
import type { Incoming, Outgoing, Send } from '../../client/transport.ts'
import { undiciTransport } from '../../client/undici-transport.ts'
import { Asker } from '../../learn/ask.ts'
import { startOwnTarget } from '../../own-target.ts'

type Change = (request: Outgoing, answer: Incoming) => Incoming

it('learns nothing from a server that changes its mind between two tries', async () => {
  let count = 0
  const asker = await askerOf((request, answer) =>
    request.url.includes('page=0') && ++count % 2 === 0
      ? { ...answer, status: 400, text: '{"success":false,"message":"a bad page"}' }
      : answer,
  )
  expect(await asker.ask('badPage')).toEqual({ outcome: 'unstable', words: 'clamped, then refused' })
})

it.each([
  ['cuts its JSON short', '{"success":true,"data":'],
  ['answers a list', '[null,3]'],
  ['answers with nulls', '{"success":true,"message":null,"data":null,"meta":3,"pagination":null}'],
])('learns nothing from a server that %s', async (_, text) => {
  const asker = await askerOf((_request, answer) => ({ ...answer, status: 200, text }))
  for (const name of ['repeatedKeyInFlight', 'severalMatches', 'mergeFieldPaths', 'templateSendsByAgent'] as const)
    expect(await asker.ask(name)).toMatchObject({ outcome: 'cannotTell' })
})

/** Asks a sandbox that refuses no page, and whose answers are changed on their way. */
async function askerOf(change: Change): Promise<Asker> {
  const own = await startOwnTarget({ assume: { badPage: 'clamped' } })
  const target = createTarget(own.wanted, own.credentials)
  const transport = undiciTransport(target.origin, target.tls)
  onTestFinished(async () => {
    await transport.close()
    await own.stop()
  })
  const send: Send = async (request, ...rest) => change(request, await transport.send(request, ...rest))
  const ledger = { intend: () => '1', record: () => undefined }
  return new Asker({ target, mint: createMint(newMarks()), ledger, send, patience: 50 })
}
