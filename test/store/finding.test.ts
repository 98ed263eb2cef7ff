import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Kinds } from '../../fixtures/records.ts'
import type { Part, Records } from '../../mock/store/port.ts'
import { openedAt, stores } from './harness.ts'

type Message = Kinds['messages']

const conversations = ['a', 'b', 'c']
const ids = ['one', 'two', 'three', 'four', 'five', 'six']

const change = fc.record({
  does: fc.constantFrom('write', 'write', 'remove'),
  id: fc.constantFrom(...ids),
  to: fc.constantFrom(...conversations),
})
const turn = fc.record({ changes: fc.array(change, { maxLength: 8 }), throws: fc.boolean() })
const part = fc.record({ skip: fc.nat(8), take: fc.nat(8), order: fc.constantFrom('newestFirst', 'oldestFirst') })

describe.each(stores)('the $store store', ({ place }) => {
  it('finds what a plain list would, in the order of creation, whatever turns came before', async () => {
    const store = await openedAt(await place())
    const property = fc.asyncProperty(
      fc.array(turn, { maxLength: 12 }),
      fc.subarray(conversations),
      part,
      async (turns, values, part) => {
        await store.become({ teams: [{ _id: 'acme', name: 'acme', apiKeys: [] }] })
        let list: readonly Message[] = []
        for (const { changes, throws } of turns) {
          const next = changes.reduce(changed, list)
          await store.turn('acme', ({ records }) => carryOut(records, changes, throws)).catch(onPurpose)
          if (!throws) list = next
        }
        await store.turn('acme', async ({ records: { messages } }) => {
          for (const value of conversations) {
            expect(await messages.find('conversation', value)).toEqual(within(list, [value]))
          }
          expect(await messages.page('conversation', values, part)).toEqual(partOf(within(list, values), part))
          for (const id of ids) expect(await messages.get(id)).toEqual(list.find(({ _id }) => _id === id))
        })
        expect((await store.world()).teams[0]?.messages ?? []).toEqual(list)
      },
    )
    await fc.assert(property, { numRuns: 300 })
  })
})

interface Changed {
  readonly does: string
  readonly id: string
  readonly to: string
}

async function carryOut({ messages }: Records, changes: readonly Changed[], throws: boolean): Promise<void> {
  for (const { does, id, to } of changes) {
    if (does === 'remove') await messages.remove(id)
    else if (await messages.get(id)) await messages.replace(message(id, to))
    else await messages.insert(message(id, to))
  }
  if (throws) throw new Error('on purpose')
}

function onPurpose(error: unknown): void {
  expect(error).toEqual(new Error('on purpose'))
}

function changed(list: readonly Message[], { does, id, to }: Changed): readonly Message[] {
  if (does === 'remove') return list.filter(({ _id }) => _id !== id)
  const isThere = list.some(({ _id }) => _id === id)
  return isThere ? list.map((one) => (one._id === id ? message(id, to) : one)) : [...list, message(id, to)]
}

const within = (list: readonly Message[], values: readonly string[]) =>
  list.filter(({ conversationId }) => values.includes(conversationId))

function partOf(list: readonly Message[], { skip, take, order }: Part) {
  const ordered = order === 'oldestFirst' ? list : list.toReversed()
  return { total: list.length, records: ordered.slice(skip, skip + take) }
}

function message(_id: string, conversationId: string): Message {
  const fixed = { channel: 'chat', direction: 'outgoing', content: 'hello', status: 'sent' } as const
  return { _id, conversationId, contactId: 'ada', createdAt: '2026-03-01T09:30:00.000Z', ...fixed }
}
