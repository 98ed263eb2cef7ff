import { document } from './document.ts'
import { shapesOf } from './shapes.ts'

// Formats and lists of values from the OpenAPI document, to check a single value outside a request body.

const shape = (name: string) =>
  shapesOf(document)({ $ref: `#/components/schemas/${name}` }, 'json', { whole: name, member: 'field' })

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
