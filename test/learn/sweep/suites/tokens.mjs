import { equal } from 'node:assert/strict'
import { clientOf } from './client.mjs'

const { API_ROOT, API_ADMIN, CRM_OTHER_API_KEY } = process.env
const send = (path, { headers: { 'x-api-key': _, ...headers }, ...init }) =>
  fetch(API_ROOT + path, { ...init, headers: { ...headers, authorization: `Bearer ${API_ADMIN}` } })
const list = '/api/templates?page=1&limit=10&types=sms&statuses=approved'
equal((await clientOf(send)('GET', list)).status, 200)
const asOther = clientOf((path, init) => fetch(API_ROOT + path, init), CRM_OTHER_API_KEY)
equal((await asOther('GET', list)).status, 200)
