import { expect, it, onTestFinished } from 'vitest'
import { createMint, newMarks } from '../../client/mint.ts'
import { createTarget } from '../../client/target/target.ts'
import type { Incoming, Outgoing, Send } from '../../client/transport.ts'
import { undiciTransport } from '../../client/transport.ts'
import { Prober } from '../../learn/prober.ts'
import { startOwnTarget } from '../../own-target.ts'

type Change = (request: Outgoing, answer: Incoming) => Incoming

it('learns nothing from a server that changes its mind between two tries', async () => {
  let count = 0
  const prober = await proberOf((request, answer) =>
    request.url.includes('page=0') && ++count % 2 === 0
      ? { ...answer, status: 400, text: '{"success":false,"message":"a bad page"}' }
      : answer,
  )
  expect(await prober.probe('badPage')).toEqual({ outcome: 'unstable', words: 'clamped, then refused' })
})

it('finds a delay when the first read of an immediate effect comes late', async () => {
  let [sends, isSeen] = [0, true]
  const prober = await proberOf((request, answer) => {
    if (request.url.endsWith('/sendBulkNewMessages')) isSeen = ++sends < 3
    const body = JSON.parse(answer.text) as { data?: unknown; pagination?: { total?: number } }
    if (isSeen || body.pagination?.total === undefined) return answer
    isSeen = true
    return { ...answer, text: JSON.stringify({ ...body, data: [] }) }
  }, 10_000)
  expect(await prober.probe('bulkDelivery')).toEqual({
    outcome: 'seen',
    written: expect.stringMatching(/^afterDelay:\d+$/) as string,
  })
})

it('asks for shorter lists where a server refuses long ones', async () => {
  const prober = await proberOf((request, answer) => {
    const limit = Number(new URL(request.url).searchParams.get('limit'))
    const refusal = '{"success":false,"message":"limit must be at most 50"}'
    return limit > 50 ? { ...answer, status: 400, text: refusal } : answer
  })
  for (const name of ['bothCredentials', 'roleOfKey', 'keyMadeTemplates', 'historyPage'] as const)
    expect(await prober.probe(name), name).toMatchObject({ outcome: 'seen' })
  expect(await prober.probe('largestLimit')).toMatchObject({ outcome: 'other' })
})

it('finds a template that is on the second page of a list', async () => {
  let first = ''
  const prober = await proberOf((request, answer) => {
    const { searchParams } = new URL(request.url)
    if (!searchParams.has('types') || searchParams.get('limit') === '1') return answer
    if (searchParams.get('page') !== '1') return { ...answer, status: 200, text: first }
    first = answer.text
    const body = JSON.parse(answer.text) as { pagination?: object }
    return { ...answer, text: JSON.stringify({ ...body, data: [], pagination: { ...body.pagination, hasMore: true } }) }
  })
  expect(await prober.probe('roleOfKey')).toMatchObject({ outcome: 'seen', written: 'admin' })
})

it('does not conclude from one pair of receivers how another is treated', async () => {
  const prober = await proberOf(({ body }, answer) => {
    const sent = body?.toString() ?? ''
    const refuses = sent.includes('"contactId"') && sent.includes('"recipientId"')
    return refuses ? { ...answer, status: 400, text: '{"success":false,"message":"they differ"}' } : answer
  })
  expect(await prober.probe('disagreeingReceivers')).toEqual({
    outcome: 'other',
    words: 'recipientId: refused; to: contactIdWins',
  })
})

it('does not take a list that an update leaves out for a change of it', async () => {
  const prober = await proberOf((_request, answer) => ({
    ...answer,
    text: answer.text.replace(/,"variables":\[[^\]]*\]/, ''),
  }))
  expect(await prober.probe('formList')).toMatchObject({ outcome: 'cannotTell' })
})

it.each([
  ['cuts its JSON short', '{"success":true,"data":'],
  ['answers a list', '[null,3]'],
  ['answers with nulls', '{"success":true,"message":null,"data":null,"meta":3,"pagination":null}'],
])('learns nothing from a server that %s', async (_, text) => {
  const prober = await proberOf((_request, answer) => ({ ...answer, status: 200, text }))
  for (const name of ['repeatedKeyInFlight', 'severalMatches', 'mergeFieldPaths', 'templateSendsByAgent'] as const)
    expect(await prober.probe(name)).toMatchObject({ outcome: 'cannotTell' })
})

/** Probes a sandbox that accepts every page, with changed responses. */
async function proberOf(change: Change, patience = 50): Promise<Prober> {
  const own = await startOwnTarget({ assume: { badPage: 'clamped' } })
  const target = createTarget(own.wanted, own.credentials)
  const transport = undiciTransport(target.origin, target.tls)
  onTestFinished(async () => {
    await transport.close()
    await own.stop()
  })
  const send: Send = async (request, ...rest) => change(request, await transport.send(request, ...rest))
  const ledger = { intend: () => '1', record: () => undefined }
  return new Prober({ target, mint: createMint(newMarks()), ledger, send, patience })
}
