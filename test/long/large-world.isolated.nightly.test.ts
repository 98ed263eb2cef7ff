import { expect, it } from 'vitest'
import { prepareTeam } from '../../fixtures/generate/generate-world.ts'
import { checkOptions } from '../../fixtures/generate/options.ts'
import { apiKinds } from '../../fixtures/records.ts'
import { type FieldToWrite, writeWorld } from '../../fixtures/world-text.ts'

/** `LARGE_WORLD=1000000` for a million contacts. */
const contacts = Number(process.env.LARGE_WORLD ?? 100_000)

it(`a world of ${contacts} contacts is written without ever being in memory`, { timeout: 3_600_000 }, async () => {
  const { head, lists } = await prepareTeam(checkOptions({ contacts }))
  let records = 0
  let most = 0
  function* counted(list: Iterable<unknown>) {
    for (const record of list) {
      records += 1
      if (records % 20_000 === 0) most = Math.max(most, process.memoryUsage().rss)
      yield record
    }
  }
  const before = process.memoryUsage().rss
  const fields: FieldToWrite[] = [
    ...Object.entries(head),
    ...apiKinds.map((kind): FieldToWrite => [kind, counted(lists[kind]())]),
  ]
  let characters = 0
  for (const piece of writeWorld([fields], 'json')) characters += piece.length
  console.log(
    `${records} records, ${Math.round(characters / 1e6)} MB, at most ${Math.round((most - before) / 1e6)} MB more in memory`,
  )
  expect(records).toBeGreaterThan(contacts * 5)
  expect(most - before).toBeLessThan(250e6)
})
