import { describe, expect, it } from 'vitest'
import type { StartedTarget } from '../../contracts/index.ts'
import { judgeOtherServer } from './accusations.ts'
import type { PromiseId } from '../../spec/promises.ts'
import type { Knobs } from './knobs.ts'

// A server may refuse the generated material of a run, and accept material that the operator names.

const rows: readonly [string, Partial<Knobs>, StartedTarget['wanted'], PromiseId, string][] = [
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
    const judge = async (options: StartedTarget['wanted']) =>
      (await judgeOtherServer(knobs, options, { ids: [promise] })).results[0]
    expect(await judge({})).toMatchObject({
      outcome: 'inconclusive',
      reason: expect.stringContaining(advice) as unknown,
    })
    expect(await judge(wanted)).toMatchObject({ outcome: 'kept' })
  })
})
