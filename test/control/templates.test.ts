import { describe, expect, it, onTestFinished } from 'vitest'
import { control, type Controls } from '../../mock/control/client.ts'
import { createSandbox } from '../../mock/create-sandbox.ts'
import { callerOf, type Told, twoTeams } from '../mock/harness.ts'
import { itRefuses } from './refused.ts'

async function open() {
  const sandbox = await createSandbox({ world: twoTeams, port: 0, assume: { templateFields: 'allSent' } })
  onTestFinished(() => sandbox.close())
  const call = callerOf(sandbox)
  const body = {
    ...{ templateType: 'whatsapp', name: 'Hours', uniqueName: 'hours', content: 'Hello', category: 'UTILITY' },
    ...{ language: 'en', provider: 'whatsapp-provider' },
  }
  const id = dataIn(await call('createTemplate', { body }))._id
  const record = async () => (await sandbox.records('acme', 'templates', { where: { _id: id } })).records[0]
  return { call, id, record, both: [sandbox, control({ url: sandbox.url })] as readonly Controls[] }
}

const dataIn = ({ body }: Told) => (body as { data: { _id: string; status: string } }).data

it.each([0, 1])(
  'a template is rejected with a reason, which its record keeps until it is approved (door %i)',
  async (door) => {
    const { call, id, record, both } = await open()
    const reason = 'The text names a competitor'
    expect(await both[door]?.templates.reject(id, { reason })).toMatchObject({ status: 'rejected', reason })
    expect(await record()).toMatchObject({ status: 'rejected', rejectionReason: reason })
    const shown = dataIn(await call('getTemplate', { path: { templateId: id } }))
    expect([shown.status, JSON.stringify(shown).includes(reason)]).toEqual(['rejected', false])
    await both[door]?.templates.approve(id)
    expect(await record()).not.toHaveProperty('rejectionReason')
  },
)

const bad: [unknown, RegExp][] = [
  [{ reason: '' }, /^reason must /],
  [{ reason: 1 }, /^reason must /],
  [{ reason: null }, /^reason must /],
  [{ reason: 'x'.repeat(1_001) }, /^reason must /],
  [{ why: 'x' }, /^why is not a field of this request, which takes reason, teamId$/],
  [[], /must be a JSON object/],
]

describe('a rejection with a wrong field', () => {
  itRefuses(
    bad.map(([body, message]) => [
      JSON.stringify(body).slice(0, 30),
      (controls) => controls.templates.reject('one', body as object),
      message,
    ]),
  )
})
