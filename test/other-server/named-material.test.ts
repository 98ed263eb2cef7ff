import { describe, expect, it } from 'vitest'
import type { StartedTarget } from '../../contracts/index.ts'
import { judgeOtherServer } from './accusations.ts'
import type { Knobs } from './knobs.ts'

// What a server refuses of the made-up material of a run, and takes once the operator has named something else.

const rows: readonly [string, Partial<Knobs>, StartedTarget['wanted'], string, string][] = [
  [
    'a picture',
    { urls: 'reachable' },
    { mediaUrl: 'https://cdn.crm-tests.net/engine.png' },
    'message.liveTakesOptionalFields',
    'name a picture with --media-url',
  ],
  [
    'a domain for e-mail',
    { emailDomains: 'noExamplesInSends' },
    { emailDomain: 'crm-tests.net' },
    'message.emailAnswers200',
    'name another domain with --email-domain',
  ],
  [
    'a domain for companies',
    { emailDomains: 'noExamplesOfCompanies' },
    { emailDomain: 'crm-tests.net' },
    'company.createAnswers201',
    'name another domain with --email-domain',
  ],
]

describe('A promise is judged once the operator has named', () => {
  it.each(rows)('%s', async (_, knobs, wanted, promise, advice) => {
    const become = async (options: StartedTarget['wanted']) =>
      (await judgeOtherServer(knobs, options)).results.find((result) => result.promise === promise)
    expect(await become({})).toMatchObject({
      outcome: 'inconclusive',
      reason: expect.stringContaining(advice) as unknown,
    })
    expect(await become(wanted)).toMatchObject({ outcome: 'kept' })
  })
})
