import { document } from './document.ts'
import { shapeOf } from './shapes.ts'

// Formats and lists of values from the OpenAPI document, to check a single value outside a request body.

const shape = (name: string) =>
  shapeOf({ $ref: `#/components/schemas/${name}` }, 'json', { whole: name, member: 'field' })

const emailAddress = shape('EmailAddress')
const phoneNumber = shape('PhoneNumber')

export const isEmailAddress = (text: string) => emailAddress.check(text) === undefined
export const isPhoneNumber = (text: string) => phoneNumber.check(text) === undefined

export const contactStatuses = listed('ContactStatus', 'enum')
export const lifecycleStages = listed('LifecycleStage', 'examples')
export const templateTypes = listed('TemplateType', 'enum')
export const templateStatuses = listed('TemplateStatus', 'enum')
export const templateCategories = listed('TemplateCategory', 'enum')
export const messageChannels = document.components.schemas.Message?.properties?.channel?.enum as readonly string[]

function listed(name: string, keyword: 'enum' | 'examples'): readonly string[] {
  return document.components.schemas[name]?.[keyword] as readonly string[]
}

// Without repeated groups, which would overflow the stack of the engine on a name of megabytes.
export const isSnakeCase = (name: string) => /^[a-z0-9_]+$/.test(name) && !/^_|__|_$/.test(name)

/** With or without a time of day. The comparison rejects 30 February, which `Date` accepts. */
export function isIsoDate(text: string): boolean {
  const [, day = ''] = isoDate.exec(text) ?? []
  const midnight = new Date(`${day}T00:00Z`)
  return !Number.isNaN(midnight.valueOf()) && midnight.toISOString().startsWith(day) && !Number.isNaN(Date.parse(text))
}

const isoDate = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/
