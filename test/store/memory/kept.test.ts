import { describe, expect, it } from 'vitest'
import { keepLatest } from '../../../mock/core/keep-latest.ts'
import { MemoryStore } from '../../../mock/store/memory/memory-store.ts'
import type { StoreTransaction } from '../../../mock/store/port.ts'
import { openSandbox, twoTeams } from '../../mock/harness.ts'

const mebibyte = 1024 * 1024
const answer = (_id: string, body: string) => ({
  _id,
  key: _id,
  fingerprint: 'f',
  at: 1,
  status: 200,
  body,
  assumed: [],
})

describe('the characters of kept answers', () => {
  it('are counted over all answers, also after a rollback', async () => {
    const store = new MemoryStore(twoTeams)
    const kept = (team: string) =>
      store.transaction(team, async ({ records: { answers } }) => [
        (await answers.kept()).characters,
        await answers.charactersOfAllTeams(),
      ])
    await store.transaction('acme', async ({ records: { answers } }) => {
      await answers.insertAll([answer('a', 'x'.repeat(9)), answer('b', 'x'.repeat(19))])
    })
    await store.transaction('globex', ({ records: { answers } }) => answers.insert(answer('a', 'x'.repeat(99))))
    expect([await kept('acme'), await kept('globex')]).toEqual([
      [30, 130],
      [100, 130],
    ])
    const change = async ({ records: { answers } }: StoreTransaction) => {
      await answers.replace(answer('a', 'x'.repeat(1_000)))
      await answers.remove('b')
    }
    await expect(
      store.transaction('acme', async (team) => {
        await change(team)
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
    expect(await kept('acme')).toEqual([30, 130])
    await store.transaction('acme', change)
    expect(await kept('acme')).toEqual([1_001, 1_101])
    await store.removeTeam('globex')
    expect(await kept('acme')).toEqual([1_001, 1_001])
    await store.replaceAll(twoTeams)
    expect(await kept('acme')).toEqual([0, 0])
  })
})

describe('memory for earlier requests', () => {
  const long = 'x'.repeat(mebibyte - 1_000)
  const create = { name: 'a', unitPrice: 1, description: long }

  it('is bounded for one team: answers', async () => {
    const { call, sandbox } = await openSandbox()
    const ask = (at: number) => call('createProduct', { body: create, headers: { 'idempotency-key': `key ${at}` } })
    const first = await ask(0)
    for (let at = 1; at < 40; at++) await ask(at)
    const { answers = [] } = (await sandbox.world()).teams[0] ?? {}
    expect(answers.length).toBeGreaterThan(28)
    expect(answers.reduce((sum, { body }) => sum + body.length, 0)).toBeLessThan(32 * mebibyte)
    expect((await ask(39)).body.data._id).toBe(JSON.parse(answers.at(-1)?.body ?? '').data._id)
    expect((await ask(0)).body.data._id).not.toBe(first.body.data._id)
  })

  it('is bounded for one team: deletions', async () => {
    const { call, sandbox } = await openSandbox()
    for (let at = 0; at < 40; at++) {
      const { body } = await call('createProduct', { body: create })
      await call('deleteProduct', { path: { productId: body.data._id as string } })
    }
    expect(JSON.stringify((await sandbox.world()).teams[0]?.deleted).length).toBeLessThan(33 * mebibyte)
  })

  it.each([
    ['what a team keeps of much', 1, 250],
    ['nothing that a team keeps of little', 1 / 8, 1_000],
  ])('is bounded for all together, at the cost of %s', async (_, total, left) => {
    const length = (total * mebibyte) / 1_000
    const kept = Array.from({ length: 1_000 }, (_, at) => String(at))
    const others = 256 * mebibyte - 100 * length
    const answers = {
      kept: async () => ({ records: kept.length, characters: kept.length * length }),
      charactersOfAllTeams: async () => others + kept.length * length,
      first: async () => ({ _id: kept[0] }),
      remove: async () => void kept.shift(),
    }
    await keepLatest(answers as unknown as Parameters<typeof keepLatest>[0], 10_000)
    expect(kept.length).toBe(left)
  })
})
