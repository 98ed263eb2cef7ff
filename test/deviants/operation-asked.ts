import type { Outgoing } from '../../client/transport.ts'
import { operations } from '../../spec/operations.ts'
import type { OperationId } from '../../spec/types.ts'

/** Which operation a request is for; where a path could be of two, the one that names it word by word. */
export function operationAsked({ method, url }: Outgoing): OperationId | undefined {
  const { pathname } = new URL(url)
  return routes.find((route) => route.method === method && route.pattern.test(pathname))?.id
}

const parameter = /\{\w+\}/g

const routes = Object.values(operations)
  .map(({ id, method, path }) => ({
    id,
    method: method.toUpperCase(),
    parameters: path.match(parameter)?.length ?? 0,
    pattern: new RegExp(`^${path.replace(parameter, '[^/]+')}$`),
  }))
  .sort((one, other) => one.parameters - other.parameters)
