import { describe, expect, it } from 'vitest'
import { concernedBy, examples, furnished } from './asks.ts'
import { openFurnished } from './furnished.ts'

const unknownId = '66f0a1b2c3d4e5f601239999'

describe('a request with more than is documented', () => {
  const strays = concernedBy('unlistedFields').filter(
    (id) => id !== 'createContactWithConversation' && id !== 'createConversation',
  )

  it.each(strays)('unlistedFields decides what %s does with an unlisted field', async (id) => {
    const body = { ...examples[id].body, favouriteEngine: 'Difference' }
    const kept = await openFurnished({ unlistedFields: 'kept', templateFields: 'allSent' })
    const dropped = await openFurnished({ unlistedFields: 'dropped' })
    const refused = await openFurnished({ unlistedFields: 'refused' })
    const answers = [
      await kept.call(id, { ...examples[id], body }),
      await dropped.call(id, { ...examples[id], body }),
      await refused.call(id, { ...examples[id], body }),
    ]
    const [whenKept, whenDropped] = answers
    expect(answers.map(({ status }) => status < 300)).toEqual([true, true, false])
    expect(answers.every(({ assumed }) => assumed.includes('unlistedFields'))).toBe(true)
    expect(JSON.stringify(await kept.sandbox.world())).toContain('favouriteEngine')
    expect(JSON.stringify(await dropped.sandbox.world())).not.toContain('favouriteEngine')
    expect(await refused.sandbox.world()).toEqual(furnished)
    if (id !== 'createTemplate') expect(whenKept?.body.data).toHaveProperty('favouriteEngine')
    expect(whenDropped?.body.data).not.toHaveProperty('favouriteEngine')
  })

  it.each(strays)('serverFieldsSent decides what %s does with a field that the service writes', async (id) => {
    for (const [field, value] of Object.entries({
      _id: unknownId,
      teamId: 'theirs',
      createdAt: '1815',
      updatedAt: '1843',
    })) {
      const body = { ...examples[id].body, [field]: value }
      const ignored = await openFurnished({ serverFieldsSent: 'ignored' })
      const refused = await openFurnished({ serverFieldsSent: 'refused' })
      const good = await ignored.call(id, { ...examples[id], body })
      const bad = await refused.call(id, { ...examples[id], body })
      expect([good.status < 300, bad.status]).toEqual([true, 400])
      expect(bad.body.message).toBe(`${field} is written by the service; leave it out`)
      expect([good.assumed, bad.assumed]).toEqual(Array(2).fill(expect.arrayContaining(['serverFieldsSent'])))
      expect(JSON.stringify(await ignored.sandbox.world())).not.toContain(JSON.stringify(value))
      expect(await refused.sandbox.world()).toEqual(furnished)
    }
  })
})
