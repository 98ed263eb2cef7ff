export { Secrets } from '../../shared/redaction.ts'

export const hidden = '[redacted]'

/** What a query may show: the names of its parameters, and values that say nothing about a person. */
const harmless: readonly string[] = ['page', 'limit', 'types', 'statuses', 'channel']

/** The target of a request, such as `/api/contacts/deleteContactsByEmail?email=[redacted]`. */
export function redactedTarget(target: string): string {
  const [path = '', query] = target.split(/\?(.*)/s)
  if (query === undefined) return path
  return `${path}?${query.split('&').map(redactedParameter).join('&')}`
}

function redactedParameter(parameter: string): string {
  const [name = '', value] = parameter.split(/=(.*)/s)
  if (value === undefined) return hidden
  return harmless.includes(name) && value.length <= 20 ? parameter : `${name.slice(0, 40)}=${hidden}`
}
