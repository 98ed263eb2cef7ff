import { expect, it } from 'vitest'
import { operations } from '../../spec/operations.ts'
import { examples, furnished, operationIds } from './asks.ts'
import { unknownId } from './contact-calls.ts'
import { openSandbox } from './harness.ts'

/** The operations whose request names a record that must exist. */
const naming = operationIds.filter(
  (id) => operations[id].path.includes('{') || id === 'createConversation' || id === 'createQuote',
)

it.each(naming)('%s answers the id of another team like an unknown one, and changes nothing', async (id) => {
  const { sandbox, call } = await openSandbox({ world: furnished })
  const asGlobex = { ...examples[id], key: 'globex-key' }
  const unknown = JSON.parse(JSON.stringify(asGlobex).replaceAll(/[0-9a-f]{24}/g, unknownId)) as typeof asGlobex
  const foreign = await call(id, asGlobex)
  expect(foreign).toEqual(await call(id, unknown))
  expect([foreign.status, foreign.body]).toEqual([404, { success: false, message: 'Resource not found' }])
  expect(await sandbox.world()).toEqual(furnished)
})

it('finds, changes and deletes no contact of another team by its addresses', async () => {
  const { sandbox, call } = await openSandbox({ world: furnished })
  const { email = '', phone = '' } = furnished.teams[0]?.contacts?.[0] ?? {}
  const key = 'globex-key'
  const names = { firstName: 'Ada', lastName: 'Lovelace' }
  expect((await call('deleteContactsByEmail', { query: { email }, key })).body.message).toBe('0 contacts deleted')
  expect((await call('createOrUpdateContact', { body: { ...names, email, phone }, key })).body.message).toBe(
    'Contact created',
  )
  expect((await call('findOrCreateConversation', { body: { phone }, key })).body.message).toBe('Conversation created')
  expect((await sandbox.world()).teams[0]).toEqual(furnished.teams[0])
})
