import { afterAll, expect, it } from 'vitest'
import { liars } from '../other-server/lies.ts'
import { otherTarget } from '../other-server/accusations.ts'
import { startOtherServer } from '../other-server/server.ts'
import { Shares } from './shares.ts'
import { brokenIn, resultsOf, send } from './suite.ts'

// Servers that keep a state and answer as if all were well.

const survivors: string[] = []
const rows = Object.entries(liars)

afterAll(() => {
  const shares = new Shares('lies')
  shares.add('liars', rows.length, survivors)
  shares.tell()
})

it('there are at least 110', () => {
  expect(rows.length).toBeGreaterThanOrEqual(110)
})

it.each(rows)('%s: it is noticed', async (name, { after = [], breaks, knobs, ...options }) => {
  const server = await startOtherServer(knobs, options)
  try {
    const broken: string[] = []
    for await (const result of resultsOf([...after, breaks], otherTarget(server.url), send))
      broken.push(...brokenIn(result))
    if (!broken.includes(breaks)) survivors.push(name)
    expect(broken).toContain(breaks)
  } finally {
    await server.close()
  }
})
