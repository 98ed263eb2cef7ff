import type { Outgoing } from '../../../contracts/client/transport.ts'
import { operations } from '../../../spec/operations.ts'
import type { OperationId } from '../../../spec/types.ts'

/** The operation of a request; where two paths match, the one with fewer parameters. */
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
