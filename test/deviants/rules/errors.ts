import type { Break } from '../broken-copy.ts'

/** Every refusal is wrapped so. */
const wrappedAs = (envelope: string): Break => ({
  file: 'errors.ts',
  rule: 'JSON.stringify({ success: false, message })',
  instead: `JSON.stringify(${envelope})`,
})

export const errors = {
  'error.successIsFalse': wrappedAs('{ message }'),
  'error.messageIsText': wrappedAs('{ success: false, error: message }'),
  'error.carriesNoData': wrappedAs('{ success: false, message, data: null }'),
  'error.statusIsDocumented': {
    file: 'replies.ts',
    rule: 'readonly status = 400',
    instead: 'readonly status = 422',
  },
  'error.badRequestSaysWhy': {
    file: 'errors.ts',
    rule: 'namesTheField: (sentence) => sentence',
    instead: "namesTheField: () => ''",
  },
  'error.unauthorizedText': {
    file: 'replies.ts',
    rule: "super('Unauthorized')",
    instead: "super('The API key is not valid')",
  },
  'error.notFoundText': {
    file: 'replies.ts',
    rule: "super('Resource not found')",
    instead: "super('Not found')",
  },
  'error.serverErrorText': {
    file: 'replies.ts',
    rule: 'readonly status = 400',
    instead: 'readonly status = 500',
  },
  'error.readingTheUnknownIs404': {
    file: 'operations/messages.ts',
    rule: 'found(await team.conversations.get(path.conversationId), path.conversationId, assumed)',
    instead: '{ _id: path.conversationId }',
  },
  'error.updatingTheUnknownIs404': {
    file: 'operations/products.ts',
    rule: 'found(await team.products.get(path.productId), path.productId, assumed)',
    instead: '(await team.products.get(path.productId)) ?? (await team.products.insert({ _id: path.productId }))',
  },
  'error.deletingTheUnknownIs404': {
    file: 'rules/deletion.ts',
    rule: 'if (!before) return found<Kinds[K]>(undefined, id, assumed)',
    instead: 'if (!before) return { _id: id }',
  },
  'error.refusalChangesNothing': {
    file: 'http/pipeline.ts',
    rule: 'perform({ operation, caller, assumed, keyed: readKey(request, operation, assumed), read })',
    instead: `(async () => {
          const { params: path, query, body } = request
          const unread = () => ({ path, query, body })
          const answered = await perform({ operation, caller, assumed, keyed: undefined, read: unread })
          await read()
          return answered
        })()`,
  },
} satisfies Record<string, Break>
