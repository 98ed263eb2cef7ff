import { expect, it } from 'vitest'
import { judgeOtherServer } from '../other-server/accusations.ts'
import { freedoms } from '../other-server/freedoms.ts'
import { inTier, sampleOf, seed } from '../../tier.ts'
import { newObserver, observed } from './helpers.ts'

// Runs the contract suite through an observer: its requests are many, and odd.

const sample = sampleOf(Object.entries(freedoms), inTier({ test: 0, ci: 2, nightly: Infinity }))

const usual = ['it decides as most do', {}] as const

it.each([...[usual, ...sample].map((one) => [...one, false] as const), [...usual, true] as const])(
  `breaks no promise in the eyes of observe when %s (seed ${seed}; %j, alone: %s)`,
  async (_, switches, alone) => {
    const observer = newObserver({ alone })
    // The prefix of a server is part of the target, and not of the requests.
    await judgeOtherServer({ ...switches, prefix: '' }, {}, { change: observed(observer) })
    const { judged, findings } = observer.observations.toJson()
    expect(findings.filter(({ outcome }) => outcome === 'broken')).toEqual([])
    expect(judged.length).toBeGreaterThan(30)
  },
)
