import { document } from './document.ts'
import { shapesOf } from './shapes.ts'

// Forms and lists that the document shows of a single value, for who judges one outside of a body.

const shape = (name: string) =>
  shapesOf(document)({ $ref: `#/components/schemas/${name}` }, 'json', { whole: name, member: 'field' })

const emailAddress = shape('EmailAddress')
const phoneNumber = shape('PhoneNumber')

export const isEmailAddress = (text: string) => emailAddress.check(text) === undefined
export const isPhoneNumber = (text: string) => phoneNumber.check(text) === undefined

export const contactStatuses = listed('ContactStatus', 'enum')
export const lifecycleStages = listed('LifecycleStage', 'examples')
export const quoteStatuses = listed('QuoteStatus', 'enum')
export const templateTypes = listed('TemplateType', 'enum')
export const templateStatuses = listed('TemplateStatus', 'enum')
export const templateCategories = listed('TemplateCategory', 'enum')
export const messageChannels = document.components.schemas.Message?.properties?.channel?.enum as readonly string[]

function listed(name: string, keyword: 'enum' | 'examples'): readonly string[] {
  return document.components.schemas[name]?.[keyword] as readonly string[]
}
