import '../other-server/without-waiting.ts'
import { describe, expect, it } from 'vitest'
import { otherTarget, startOtherServer } from '../other-server/server.ts'
import type { Switches } from '../other-server/switches.ts'
import { newFolder } from '../../for-one-test.ts'
import { longestWait } from '../../longest-wait.ts'
import { inTier, sampleOf } from '../../tier.ts'
import { learn } from '../../../contracts/learn/learn.ts'
import { toReport } from '../../../contracts/learn/report.ts'

// The clock moves only during waits.

async function learnFrom(switches: Partial<Switches>, only?: readonly string[]) {
  const server = await startOtherServer(switches)
  let requests = 0
  const answer = server.service.answer.bind(server.service)
  server.service.answer = async (request) => {
    requests++
    return answer(request)
  }
  try {
    const { wanted, credentials } = otherTarget(server.url, { timeout: longestWait / 1000 })
    const startTarget = async () => ({ wanted, credentials, stop: async () => undefined })
    const result = await learn({ ledgers: newFolder(), env: {}, startTarget, only })
    const findings = result.entries.map(({ name, finding }) => [
      name,
      'written' in finding ? finding.written : finding.words,
    ])
    return { requests, report: toReport(result), findings: Object.fromEntries(findings) as Record<string, string> }
  } finally {
    await server.close()
  }
}

describe('a server that works off bulk sends later', () => {
  it('and then skips bad recipients is left without residue', async () => {
    const { report, requests, findings } = await learnFrom({ bulkAfter: 700, badRecipients: 'skipped' })
    expect(report).toMatchObject({ exitCode: 0, residue: [] })
    expect(findings).toMatchObject({ bulkBadRecipient: 'skipped' })
    expect(requests).toBeLessThan(5_000)
  })

  it('and in another order is not said to keep them back', async () => {
    const { findings } = await learnFrom({ bulkAfter: 300, bulkSpread: 700 }, ['scheduleTypeMissing', 'bulkDuplicates'])
    expect(findings).toEqual({ scheduleTypeMissing: 'sendsNow', bulkDuplicates: 'once' })
  })
})

describe('a server with reads that lag behind its writes', () => {
  it.each(sampleOf(['lists', 'reads'] as const, inTier({ test: 1, nightly: 2 })))(
    'teaches the same as a prompt one: its %s',
    async (lagOf) => {
      const { findings: prompt } = await learnFrom({ whatsappAfterUpdate: 'pending', approvedAfter: 1000 })
      const lagging = { lagOf, lag: 300, whatsappAfterUpdate: 'pending', approvedAfter: 1000 } as const
      const { findings, report } = await learnFrom(lagging)
      const { whatsappApproval, bulkDelivery, ...others } = findings
      expect(prompt).toMatchObject(others)
      expect(report.exitCode).toBe(0)
      expect([whatsappApproval, bulkDelivery]).toEqual([
        expect.stringMatching(/^afterDelay/),
        expect.stringMatching(/^afterDelay/),
      ])
    },
  )
})
