import type { PromiseGroup } from '../../spec/promises.ts'

/** The kind of the records of a story. */
export type About = 'operations' | 'refusals' | 'contacts' | 'records' | 'templates' | 'messages'

/** The stories in which the promises of a group are judged. */
export const storiesOf: Readonly<Record<PromiseGroup, readonly About[]>> = {
  envelope: [],
  access: [],
  errors: [],
  conversations: ['contacts', 'messages'],
  messages: ['messages'],
  templates: ['templates'],
  contacts: ['contacts'],
  companies: ['records'],
  products: ['records'],
  deals: ['records'],
  quotes: ['records'],
}
