import './without-waiting.ts'
import { describe, expect, it } from 'vitest'
import { assumption, assumptionNames } from '../../../spec/assumptions.ts'
import { askSandbox, undetermined } from './helpers.ts'

/** Some effects only follow an approval, or a largest limit. */
const assume = { whatsappApproval: 'afterDelay:50', largestLimit: 'hundred' } as const

describe('a sandbox that chose as assumed', async () => {
  const findings = await askSandbox(assume, assumptionNames)

  it('is accused of nothing', () => expect(findings.broken).toEqual([]))

  it.each(assumptionNames)('%s', (name) => {
    const reason = undetermined[name]
    const finding = findings.get(name)
    if (reason) expect(finding).toEqual({ outcome: 'cannotTell', words: expect.stringMatching(reason) as string })
    else if (name === 'whatsappApproval')
      expect(finding).toMatchObject({ written: expect.stringMatching(/^afterDelay:\d+$/) as string })
    else
      expect(finding).toEqual({
        outcome: 'seen',
        written: name === 'largestLimit' ? assume[name] : assumption(name).assumed,
      })
  })
})

describe('a server that bars the usual way', () => {
  it('shows its choices another way, and the findings give the reason for each hidden choice', async () => {
    const findings = await askSandbox(
      { repeatedKey: 'reexecute', bearerRoutes: 'none', bulkDelivery: 'onRelease', mergeFields: 'raw' },
      [
        'failuresKept',
        'keyOnDelete',
        'repeatedKeyInFlight',
        'roleOfKey',
        'mergeFieldPaths',
        'bulkDuplicates',
        'templateInBulk',
        'bulkDelivery',
      ],
    )
    expect(Object.fromEntries(findings)).toEqual({
      failuresKept: { outcome: 'seen', written: 'no' },
      keyOnDelete: { outcome: 'seen', written: 'ignored' },
      repeatedKeyInFlight: { outcome: 'seen', written: 'wait' },
      roleOfKey: { outcome: 'cannotTell', words: 'no token is accepted (bearerRoutes)' },
      mergeFieldPaths: { outcome: 'seen', written: 'both' },
      bulkDuplicates: { outcome: 'seen', written: 'once' },
      templateInBulk: { outcome: 'seen', written: 'used' },
      bulkDelivery: { outcome: 'cannotTell', words: expect.stringContaining('not there in time') as string },
    })
  })
})
