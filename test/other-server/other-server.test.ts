import { expect, it } from 'vitest'
import { accuse, judgeOverHttp } from './accusations.ts'
import { inTier, sampleOf } from '../tier.ts'

// A sample of test/long/freedoms.test.ts.

it('nothing is called broken on a server written from the specification alone', async () => {
  expect(await accuse({})).toEqual([])
}, 120_000)

const inProcess = [{ lacking: 'null' }, { references: 404 }, { ids: 'uuid', malformedId: 400 }] as const

it.each(sampleOf(inProcess, inTier({ test: 1, ci: 3 })))(
  'nothing is called broken when it decides otherwise: %o',
  async (knobs) => {
    expect(await accuse(knobs)).toEqual([])
  },
  120_000,
)

const overHttp = [{ compression: 'always' }, { chunked: true }, { keepAlive: false }] as const

it.each(sampleOf(overHttp, inTier({ test: 1, ci: 3 })))(
  'nothing is called broken over HTTP when it decides otherwise: %o',
  async (knobs) => {
    expect(await accuse(knobs, judgeOverHttp)).toEqual([])
  },
  120_000,
)
