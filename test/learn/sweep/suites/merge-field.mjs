import { equal } from 'node:assert/strict'
import { ada, make } from './client.mjs'

const { _id } = await make('/api/contacts', ada)
const sent = { channel: 'chat', content: 'Hello {{firstName}}', contactId: _id }
equal((await make('/api/messages/sendLiveMessage', sent, 200)).content, 'Hello Ada')
