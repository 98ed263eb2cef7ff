import { equal } from 'node:assert/strict'
import { createSandbox } from 'crm-sandbox'
import { ada } from './client.mjs'

const sandbox = await createSandbox({ assume: { newContactLifecycle: 'lead' } })
const team = await sandbox.team()
const { data } = await team.crm.createContact(ada)
equal(data.status, 'open')
equal(data.lifecycleStage, 'Lead')
process.exit(0) // without a word to the sandbox
