import { describe, expect, it } from 'vitest'
import { openSandbox } from '../mock/harness.ts'
import { whatsapp } from '../mock/template-calls.ts'
import { itRefuses } from './refused.ts'

it('a template is rejected with a reason, which its record keeps until it is approved', async () => {
  const { sandbox, call } = await openSandbox({ assume: { templateFields: 'allSent' } })
  const { body } = await call('createTemplate', { body: whatsapp })
  const { _id: templateId } = body.data as { _id: string }
  const record = async () => (await sandbox.records('acme', 'templates', { where: { _id: templateId } })).records[0]
  const reason = 'The text names a competitor'
  expect(await sandbox.templates.reject(templateId, { reason })).toMatchObject({ status: 'rejected', reason })
  expect(await record()).toMatchObject({ status: 'rejected', rejectionReason: reason })
  const shown = await call('getTemplate', { path: { templateId } })
  expect([shown.body.data.status, JSON.stringify(shown).includes(reason)]).toEqual(['rejected', false])
  await sandbox.templates.approve(templateId)
  expect(await record()).not.toHaveProperty('rejectionReason')
})

describe('a rejection with a wrong reason', () => {
  itRefuses(
    ['', 'x'.repeat(1_001)].map((reason) => [
      `of ${reason.length} characters`,
      ({ templates }) => templates.reject('one', { reason }),
      /^reason must /,
    ]),
  )
})
