import { equal } from 'node:assert/strict'
import { ada, make } from './client.mjs'

equal((await make('/api/contacts', ada)).status, 'open')
