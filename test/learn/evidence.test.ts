import { expect, it } from 'vitest'
import { EvidenceLog } from '../../learn/evidence.ts'
import { Answer } from '../../client/answer.ts'

it('looks for secrets in what it keeps, and not in mebibytes', () => {
  let read = 0
  const log = new EvidenceLog((text) => {
    read += text.length
    return text.replaceAll('canary', '…')
  })
  const text = `canary${'x'.repeat(5_000_000)}`
  log.begin('bodyLimit')
  log.onAnswer(
    new Answer('createProduct', 200, text),
    {
      operation: 'createProduct',
      caller: 'team',
      request: { method: 'POST', url: 'http://127.0.0.1/api/products', headers: {}, body: Buffer.from(text) },
      incoming: { status: 200, headers: {}, text },
    },
    [],
  )
  expect(read).toBeLessThan(50_000)
  const [{ exchanges } = { exchanges: [] }] = log.evidence
  expect(exchanges).toMatchObject([{ answered: expect.stringMatching(/^…x+…$/) as string }])
})
