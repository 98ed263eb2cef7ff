import { afterAll, beforeAll, expect, it } from 'vitest'
import type { StartedTarget } from '../../contracts/index.ts'
import { startOwnTarget } from '../../own-target.ts'
import { goBetweens } from './changes-of-requests.ts'
import { Shares } from './shares.ts'
import { brokenIn, resultsOf, send } from './suite.ts'

// A go-between in front of a correct server forges, drops, repeats or caches requests.

let own: StartedTarget
const shares = new Shares('requests')
const survivors: string[] = []
let tried = 0

beforeAll(async () => {
  own = await startOwnTarget()
})

afterAll(async () => {
  shares.add('go-betweens', tried, survivors)
  shares.tell()
  await own.stop()
})

it.each(goBetweens)('notices when $name', async ({ name, after = [], breaks, between }) => {
  const { team = '', otherTeam = '', admin = '' } = own.credentials
  const known = {
    team: { 'x-api-key': team },
    otherTeam: { 'x-api-key': otherTeam },
    admin: { authorization: `Bearer ${admin}` },
  }
  const broken = new Set<string>()
  for await (const result of resultsOf([...after, ...breaks], own, between(send, known))) {
    for (const promise of brokenIn(result)) broken.add(promise)
  }
  tried++
  const unseen = breaks.filter((promise) => !broken.has(promise))
  if (unseen.length > 0) survivors.push(`${name}: ${unseen.join(', ')}`)
  expect(unseen).toEqual([])
})
