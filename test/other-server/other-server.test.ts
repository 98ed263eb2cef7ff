import { expect, it } from 'vitest'
import { accuse, judgeOverHttp } from './accusations.ts'
import { inTier, sampleOf } from '../tier.ts'
import { freedoms } from './freedoms.ts'

// A sample of test/long/freedoms.test.ts.

it('nothing is called broken on a server written from the specification alone', async () => {
  expect(await accuse({})).toEqual([])
}, 120_000)

it.each(
  sampleOf(
    ['what is lacking is null', 'references must exist, else 404', 'ids are UUIDs, and others are malformed'],
    inTier({ test: 1, ci: 3 }),
  ),
)(
  'nothing is called broken when %s',
  async (name) => {
    expect(await accuse(freedoms[name] ?? {})).toEqual([])
  },
  120_000,
)

it.each(
  sampleOf(
    ['answers are compressed', 'answers are chunked', 'each connection takes one request'],
    inTier({ test: 1, ci: 3 }),
  ),
)(
  'nothing is called broken over HTTP when %s',
  async (name) => {
    expect(await accuse(freedoms[name] ?? {}, judgeOverHttp)).toEqual([])
  },
  120_000,
)
