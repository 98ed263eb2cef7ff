import type { OperationId } from '../../spec/types.ts'
import { bulkMessages } from './bulk.ts'
import { contacts } from './contacts.ts'
import { conversations } from './conversations.ts'
import { messages } from './messages.ts'
import type { Group } from './modelled.ts'
import { records } from './records.ts'
import { templates } from './templates.ts'

/** Every operation of the document. The compiler asks for one that is missing. */
export const modelled: Group<OperationId> = {
  ...conversations,
  ...messages,
  ...bulkMessages,
  ...templates,
  ...contacts,
  ...records,
}

export const modelledIds = Object.keys(modelled) as OperationId[]
