import { describe, expect, it } from 'vitest'
import { broken } from './broken.ts'
import { fuzzRun } from './fuzz-run.ts'
import { holdDocument } from './hold-document.ts'

// A fixed seed, for the same requests each time; the long run uses random ones.
const seed = 20260301

holdDocument({ requests: 2000, atLeast: 3, profiles: 5, requestsEach: 200, seed })

describe('a server', () => {
  it.each(broken)('that $server is detected', async ({ fetch, complaint }) => {
    const { complaints } = await fuzzRun({ requests: 1000, seed, broken: fetch, patience: 200 })
    expect(complaints).toContainEqual(expect.stringMatching(`^${complaint}`))
  })
})
