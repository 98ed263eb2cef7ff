import { describe, expect, it } from 'vitest'
import { assumption, assumptionNames } from '../../spec/assumptions.ts'
import { askSandbox } from './asking.ts'
import { beyond } from './beyond.ts'

/** Without an approval there is nothing to see of what follows one. */
const assume = { whatsappApproval: 'afterDelay:50' } as const

describe('a sandbox that chose as assumed', async () => {
  const findings = await askSandbox(assume, assumptionNames)

  it.each(assumptionNames)('%s', (name) => {
    const reason = beyond[name]
    const finding = findings.get(name)
    if (reason) expect(finding).toEqual({ outcome: 'cannotTell', words: expect.stringMatching(reason) as string })
    else if (name === 'whatsappApproval')
      expect(finding).toMatchObject({ written: expect.stringMatching(/^afterDelay:\d+$/) as string })
    else expect(finding).toEqual({ outcome: 'seen', written: assumption(name).assumed })
  })
})

describe('a server of which something cannot be told', () => {
  it('hides what depends on it, and nothing wrong is learned', async () => {
    const findings = await askSandbox(
      { repeatedKey: 'reexecute', bearerRoutes: 'none', bulkDelivery: 'onRelease' },
      assumptionNames,
    )
    const told = (name: (typeof assumptionNames)[number]) => findings.get(name)
    expect(told('repeatedKey')).toEqual({ outcome: 'seen', written: 'reexecute' })
    expect(told('failuresKept')).toEqual({
      outcome: 'cannotTell',
      words: 'a repeated key is executed again (repeatedKey)',
    })
    expect(told('roleOfKey')).toEqual({ outcome: 'cannotTell', words: 'no token is accepted (bearerRoutes)' })
    expect(told('bulkDuplicates')).toMatchObject({ outcome: 'cannotTell' })
  })
})
