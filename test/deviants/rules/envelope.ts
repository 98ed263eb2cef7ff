import type { Break } from '../broken-copy.ts'

/** Every success is wrapped so. */
const wrappedAs = (envelope: string): Break => ({
  file: 'envelope.ts',
  rule: '_, meta) => ({ success: true, message, data, pagination, meta }),',
  instead: `_, meta) => (${envelope}),`,
})

export const envelope = {
  'envelope.pathsAreFixed': {
    file: 'http/routes.ts',
    rule: 'url: operation.path.replaceAll(',
    instead: "url: operation.path.replace('/api/', '/api/v1/').replaceAll(",
  },
  'envelope.successIsTrue': wrappedAs('{ success: data !== undefined, message, data, pagination, meta }'),
  'envelope.messageIsText': wrappedAs('{ success: true, message: [message], data, pagination, meta }'),
  'envelope.dataIsStructured': wrappedAs('{ success: true, message, data: JSON.stringify(data), pagination, meta }'),
  'envelope.metaIsAnObject': {
    file: 'envelope.ts',
    rule: '{ omitted: undefined,',
    instead: '{ omitted: null,',
  },
  'envelope.paginationStandsBesideData': wrappedAs(
    '{ success: true, message, data: pagination ? { items: data, pagination } : data, meta }',
  ),
  'envelope.outcomeIsStated': {
    file: 'replies.ts',
    rule: '({ status: 200, message })',
    instead: '({ status: 200 })',
  },
  'envelope.outcomeStandsAlone': {
    file: 'replies.ts',
    rule: '({ status: 200, message })',
    instead: '({ status: 200, message, data: null })',
  },
  'envelope.answersAreJson': {
    file: 'http/sending.ts',
    rule: "'application/json; charset=utf-8'",
    instead: "'text/plain; charset=utf-8'",
  },
  'envelope.idempotencyKeyIsOptional': {
    file: 'http/reading.ts',
    rule: "if (key === undefined || operation.effect === 'read') return undefined",
    instead: "if (operation.effect === 'read') return undefined",
  },
  'envelope.idempotencyKeyIsTaken': {
    file: 'http/reading.ts',
    rule: "key === '' || key.length > 255",
    instead: '!/^[0-9a-f-]{36}$/.test(key)',
  },
} satisfies Record<string, Break>
