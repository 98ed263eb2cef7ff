import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { StartedTarget } from '../../contracts/index.ts'
import type { CheckResult } from '../../contracts/judge/outcome.ts'
import type { Send } from '../../client/transport.ts'
import type { PromiseId } from '../../spec/promises.ts'
import { resultsOf, send } from '../deviants/suite.ts'
import { accusationsIn, otherTarget } from './accusations.ts'
import { crossing, ownProviders, ownWays, sends } from './own-ways.ts'
import { type Lie, startOtherServer } from './server.ts'

interface Trial {
  readonly lie?: Lie | undefined
  readonly wanted?: StartedTarget['wanted']
  readonly through?: Send
}

async function judge(ids: readonly PromiseId[], { lie, wanted, through = send }: Trial) {
  const server = await startOtherServer({}, { lie })
  try {
    const results: CheckResult[] = []
    for await (const result of resultsOf(ids, otherTarget(server.url, wanted), through)) results.push(result)
    return { accusations: results.flatMap(accusationsIn), outcomes: results.map(({ outcome }) => outcome), results }
  } finally {
    await server.close()
  }
}

describe('The suite accuses no server where', () => {
  it.each(Object.entries(ownWays))('%s', async (_, { way, judged, replaceAll = 'kept' }) => {
    const { accusations, outcomes } = await judge(judged, { lie: way })
    expect(accusations).toEqual([])
    expect(outcomes).toEqual(judged.map(() => replaceAll))
  })

  it('another content type is refused with 415', async () => {
    const through: Send = async (request, timeout) => {
      const incoming = await send(request, timeout)
      const isRefused = incoming.status === 400 && request.headers['content-type'] === 'text/plain'
      return isRefused ? { ...incoming, status: 415 } : incoming
    }
    const ids = ['error.statusIsDocumented', 'contact.upsertRefusesPlainText'] as const
    const { accusations, outcomes } = await judge(ids, { through })
    expect(accusations).toEqual([])
    expect(outcomes).toEqual(['kept', 'kept'])
  })
})

it.each<[where: string, shown: RegExp, instead: () => string, outcome: CheckResult['outcome']]>([
  ['upserts create a contact each', /"_id":"[^"]*"/, () => `"_id":"${randomUUID()}"`, 'kept'],
  [
    'conversations show only the id of their contact',
    /"contactId":\{[^}]*\}/,
    () => '"contactId":"c-1"',
    'inconclusive',
  ],
])('reports no mixed teams where %s', async (_, shown, instead, outcome) => {
  const through: Send = async (request, timeout) => {
    const incoming = await send(request, timeout)
    const isChanged = /createOrUpdateContact|getConversationByPhoneAndEmail/.test(request.url)
    return isChanged ? { ...incoming, text: incoming.text.replace(shown, instead) } : incoming
  }
  expect((await judge(['access.sameAddressInTwoTeams'], { through })).outcomes).toEqual([outcome])
})

it('counts answers without a message as answers of their operation', async () => {
  const lie = ownWays['deletes and bulk sends answer without a message']?.way
  const { results } = await judge(['envelope.outcomeIsStated'], { lie })
  const answers = results.flatMap((result) => result.answers)
  expect(answers.find(({ operation }) => operation === 'sendBulkMessages')?.successes).toBeGreaterThan(0)
})

it('reports one broken promise where a delete of a contact answers without data', async () => {
  const lie: Lie = () => ({
    'DELETE /api/contacts/:id': (original) => (given) => {
      const { data, ...reply } = original(given)
      return reply
    },
  })
  const { outcomes } = await judge(['contact.deleteAnswersWithTheContact', 'access.recordsCarryTheirTeam'], { lie })
  expect(outcomes).toEqual(['broken', 'kept'])
})

describe('A second team with other providers', () => {
  const isolation = ['access.readsStayInTheTeam', 'access.sendsStayInTheTeam', 'access.listsStayInTheTeam'] as const
  const wanted = {
    otherEmailProvider: 'globex-email-provider,globex-hello@team2.example.com',
    otherSmsProvider: 'globex-sms-provider',
    otherWhatsappProvider: 'globex-whatsapp-provider',
  }

  it('is judged once they are named', async () => {
    const unnamed = await judge(isolation, { lie: ownProviders })
    expect(unnamed.outcomes).toEqual(['inconclusive', 'inconclusive', 'inconclusive'])
    for (const { reason } of unnamed.results) expect(reason).toContain('name them, such as with --other-sms-provider')
    expect((await judge(isolation, { lie: ownProviders, wanted })).outcomes).toEqual(['kept', 'kept', 'kept'])
  })

  it('cannot hide behind them that it writes into the conversations of others', async () => {
    const lie: Lie = (teams) => {
      const [own, letIn] = [ownProviders(teams), crossing(sends['e-mail'])(teams)]
      const route = sends['e-mail']
      return { ...own, [route]: (original) => own[route]?.(letIn[route]?.(original) ?? original) ?? original }
    }
    expect((await judge(['access.sendsStayInTheTeam'], { lie, wanted })).outcomes).toEqual(['broken'])
  })
})
