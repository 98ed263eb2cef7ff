import { hidden } from '../../shared/redaction.ts'

/** What a query may show: the names of its parameters, and values that say nothing about a person. */
const harmless: readonly string[] = ['page', 'limit', 'types', 'statuses', 'channel']

/** The target of a request, such as `/api/contacts/deleteContactsByEmail?email=[redacted]`. */
export function redactTarget(target: string): string {
  const [path = '', query] = target.split(/\?(.*)/s)
  const shown = path.length > longestPath ? hidden : path.split('/').map(redactSegment).join('/')
  if (query === undefined) return shown
  return `${shown}?${query.length > longestPath ? hidden : query.split('&').map(redactParameter).join('&')}`
}

const longestPath = 2_000

/** Addresses have an @ or begin with a plus, and may be escaped. */
function redactSegment(segment: string): string {
  return /^[\w.~:-]{0,100}$/.test(segment) && !/^\d{7,15}$/.test(segment) ? segment : hidden
}

function redactParameter(parameter: string): string {
  const [name = '', value] = parameter.split(/=(.*)/s)
  if (value === undefined) return hidden
  if (harmless.includes(name) && /^[\w,]{0,20}$/.test(value)) return parameter
  return `${/^[A-Za-z][\w[\]-]{0,39}$/.test(name) ? name : hidden}=${hidden}`
}
