import { equal } from 'node:assert/strict'
import { crm } from './client.mjs'

equal((await crm('GET', '/api/templates?page=0&limit=10&types=sms&statuses=approved')).status, 200)
