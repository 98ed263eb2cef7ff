import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Kinds } from '../../fixtures/records.ts'
import type { Part, Records } from '../../mock/store/port.ts'
import { idsOf, openedAt, stores } from './harness.ts'

type Message = Kinds['messages']

const conversations = ['a', 'b', 'c']
const ids = ['one', 'two', 'three', 'four', 'five', 'six']
const someIds = fc.subarray(ids, { minLength: 1 })

const change = fc.record({
  does: fc.constantFrom('write', 'write', 'remove', 'writeAll', 'removeWhere'),
  ids: fc.oneof(someIds, fc.shuffledSubarray(ids, { minLength: 1 })),
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
      fc.shuffledSubarray(ids),
      async (turns, values, part, wanted) => {
        await store.become({ teams: [{ _id: 'acme', name: 'acme', apiKeys: [] }] })
        let list: readonly Message[] = []
        for (const { changes, throws } of turns) {
          const next = changes.reduce(applyChange, list)
          await store.turn('acme', ({ records }) => carryOut(records, changes, throws)).catch(onPurpose)
          if (!throws) list = next
        }
        await store.read('acme', async ({ records: { messages } }) => {
          for (const value of conversations) {
            const found = within(list, [value])
            expect(await messages.find('conversation', value)).toEqual(found)
            expect(await messages.first('conversation', value)).toEqual(found[0])
          }
          expect(await messages.page('conversation', values, part)).toEqual(partOf(within(list, values), part))
          expect(await messages.count('conversation', values)).toBe(within(list, values).length)
          for (const id of ids) expect(await messages.get(id)).toEqual(list.find(({ _id }) => _id === id))
          const known = wanted.filter((id) => list.some(({ _id }) => _id === id))
          expect(idsOf(await messages.getMany(wanted))).toEqual(known)
        })
        expect((await store.world()).teams[0]?.messages ?? []).toEqual(list)
      },
    )
    await fc.assert(property, { numRuns: 300 })
  })
})

interface Change {
  readonly does: string
  readonly ids: readonly string[]
  readonly to: string
}

async function carryOut({ messages }: Records, changes: readonly Change[], throws: boolean): Promise<void> {
  for (const { does, ids, to } of changes) {
    const [id = ''] = ids
    if (does === 'remove') await messages.remove(id)
    else if (does === 'removeWhere') {
      const count = await messages.count('conversation', [to])
      expect(await messages.removeWhere('conversation', to)).toBe(count)
    } else if (does === 'writeAll') {
      const known = new Set(idsOf(await messages.getMany(ids)))
      await messages.insertAll(ids.filter((id) => !known.has(id)).map((id) => message(id, to)))
      await messages.replaceAll(ids.filter((id) => known.has(id)).map((id) => message(id, to)))
    } else if (await messages.get(id)) await messages.replace(message(id, to))
    else await messages.insert(message(id, to))
  }
  if (throws) throw new Error('on purpose')
}

function onPurpose(error: unknown): void {
  expect(error).toEqual(new Error('on purpose'))
}

function applyChange(list: readonly Message[], { does, ids, to }: Change): readonly Message[] {
  const [id = ''] = ids
  if (does === 'remove') return list.filter(({ _id }) => _id !== id)
  if (does === 'removeWhere') return list.filter(({ conversationId }) => conversationId !== to)
  const written = does === 'writeAll' ? ids : [id]
  const known = new Set(idsOf(list))
  return [
    ...list.map((one) => (written.includes(one._id) ? message(one._id, to) : one)),
    ...written.filter((id) => !known.has(id)).map((id) => message(id, to)),
  ]
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
