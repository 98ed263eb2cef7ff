import { expect, it } from 'vitest'
import { createMint, newMarks } from '../../client/mint.ts'
import { createTarget } from '../../client/target/target.ts'
import { undiciTransport } from '../../client/undici-transport.ts'
import { Asker } from '../../learn/ask.ts'
import { compareVoices, type Heard } from '../../learn/voice/compare-voices.ts'
import { VoiceListener } from '../../learn/voice/listener.ts'
import { promptEach } from '../../learn/voice/prompts.ts'
import { otherTarget } from '../other-server/accusations.ts'
import { startOtherServer } from '../other-server/server.ts'

it('says of each part of a voice that changed what it was and is, and nothing of the same server', async () => {
  const before = await hear({ ids: 'uuid', times: 'offset', extraFields: true, countsRequests: true })
  expect(
    compareVoices(before.voice, await hear({ ids: 'uuid', times: 'offset', extraFields: true, countsRequests: true })),
  ).toEqual([])

  const changes = compareVoices(before.voice, await hear({ text404: 'Nicht gefunden' }))
  expect(changes).toEqual(
    expect.arrayContaining([
      { name: 'voice.ids.contacts', was: '"{uuid}"', is: '"{hex:24}"' },
      { name: 'voice.times', was: '"milliseconds, +02:00"', is: '"milliseconds, Z"' },
      { name: 'voice.fields.contacts.__v', was: 'number', is: 'absent' },
      { name: 'voice.headers.x-request-id', was: '{uuid}', is: 'absent' },
      { name: 'voice.messages.updateContact.404', was: '"Resource not found"', is: '"Nicht gefunden"' },
    ]),
  )
})

it('calls nothing a difference that was not heard again, and no counter that became longer', () => {
  const old = {
    ids: {
      contacts: { prefix: '', alphabet: 'digits', length: 3 },
      deals: { prefix: '', alphabet: 'uuid', length: 36 },
    },
    messages: { createContact: { 201: 'Saved' } },
    fields: { products: { rating: 'number' } },
  } as const
  const ids = { contacts: { prefix: '', alphabet: 'digits', length: 4 } } as const
  expect(compareVoices(old, { voice: { ids }, records: new Set(['contacts']) })).toEqual([])
})

/** Hears a server that speaks so. */
async function hear(knobs: Parameters<typeof startOtherServer>[0]): Promise<Heard> {
  const server = await startOtherServer(knobs)
  const { wanted, credentials } = otherTarget(server.url)
  const target = createTarget(wanted, credentials)
  const transport = undiciTransport(target.origin, target.tls)
  const mint = createMint(newMarks())
  const listener = new VoiceListener(mint, (text) => text)
  const ledger = { intend: () => '1', record: () => undefined }
  try {
    const { tools } = new Asker({ target, mint, ledger, send: transport.send, patience: 300, observer: listener })
    await promptEach(tools)
    return listener.heard()
  } finally {
    await transport.close()
    await server.close()
  }
}
