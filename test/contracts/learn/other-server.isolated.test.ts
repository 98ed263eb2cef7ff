import '../other-server/without-waiting.ts'
import { expect, it } from 'vitest'
import { assumptionNames } from '../../../spec/assumptions.ts'
import { otherTarget, startOtherServer } from '../other-server/server.ts'
import { askServer } from './helpers.ts'

it('learns from a server that was written from the specification alone, also what no choice describes', async () => {
  const server = await startOtherServer()
  try {
    const learned = await askServer(otherTarget(server.url), assumptionNames)
    expect(learned.broken).toEqual([])
    const findings = [...learned]
    const of = (outcome: string) => findings.filter(([, finding]) => finding.outcome === outcome)
    expect(of('unstable')).toEqual([])
    expect(
      Object.fromEntries(of('other').map(([name, finding]) => [name, 'words' in finding && finding.words])),
    ).toEqual({
      bothCredentials: 'with a good key, then with a good token, the status is [200,200]',
      serverFieldsSent: 'the record has the id that was sent',
      nameOfNewContact: 'the name is [null,null]',
      badPage: expect.stringMatching(/^page=0 of templates, .*: refused; .*: the page is 1.5; .*: clamped$/) as string,
      emptyString: expect.stringMatching(/: refused; the name in an update of a product: accepted$/) as string,
      nestedUnlistedFields:
        'an attachment of a chat message, an attachment of an e-mail: refused; a scheduleTime: accepted',
    })
    expect(Object.fromEntries(findings)).toMatchObject({
      repeatedKey: { written: 'reexecute' },
      repeatedKeyOtherBody: { written: 'execute' },
      mergeFields: { written: 'raw' },
      badRequestMessage: { written: 'general' },
    })
    expect(of('seen').length).toBeGreaterThan(110)
  } finally {
    await server.close()
  }
})
