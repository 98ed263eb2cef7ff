import { deepEqual } from 'node:assert/strict'
import { ada, make } from './client.mjs'

const { status, lifecycleStage } = await make('/api/contacts', ada)
deepEqual({ status, lifecycleStage }, { status: 'open', lifecycleStage: undefined })
