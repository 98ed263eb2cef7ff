import type { Call, ApiResponse } from './helpers.ts'

export const sms = {
  templateType: 'sms',
  name: 'Opening hours',
  uniqueName: 'opening-hours',
  content: 'We open at nine',
  provider: 'sms-provider',
}

export const email = {
  ...sms,
  templateType: 'email',
  uniqueName: 'welcome',
  subject: 'Welcome',
  provider: 'email-provider',
}

export const whatsapp = {
  ...sms,
  templateType: 'whatsapp',
  uniqueName: 'order_has_left',
  content: 'Your order {{1}} has left',
  category: 'UTILITY',
  language: 'en_US',
  provider: 'whatsapp-provider',
}

export const everything = {
  page: 1,
  limit: 100,
  types: ['sms', 'email', 'whatsapp'],
  statuses: ['pending', 'approved', 'rejected'],
}

export const unknownId = '66f0a1b2c3d4e5f601234567'

export const create = (call: Call, body: object = sms, headers = {}) => call('createTemplate', { body, headers })

export const get = (call: Call, templateId: string, headers = {}) =>
  call('getTemplate', { path: { templateId }, headers })

export const list = (call: Call, query = {}, headers = {}) =>
  call('listTemplates', { query: { ...everything, ...query }, headers })

export const update = (call: Call, templateId: string, body: object, headers = {}) =>
  call('updateTemplate', { path: { templateId }, body, headers })

export const remove = (call: Call, templateId: string, headers = {}) =>
  call('deleteTemplate', { path: { templateId }, headers })

export const namesIn = ({ body }: ApiResponse): string[] =>
  (body.data as { uniqueName: string }[]).map(({ uniqueName }) => uniqueName)
