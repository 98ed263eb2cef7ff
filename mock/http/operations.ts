import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Assumed } from '../../spec/assumed.ts'
import { type Operation, operations } from '../../spec/operations.ts'
import type { Caller } from '../core/transaction.ts'
import type { Execute } from '../core/execute.ts'
import { type Admission, authenticate } from './authentication.ts'
import { sendResponse } from './journal.ts'
import { parseRequest, readKey } from './reading.ts'

export interface Service extends Admission {
  readonly execute: Execute
}

/** One route for each operation of the document. */
export function addOperations(app: FastifyInstance, service: Service): void {
  app.decorateRequest('operation', undefined)
  app.decorateRequest('assumed', undefined)
  app.decorateRequest('caller', undefined)
  for (const operation of Object.values(operations)) {
    const url = operation.path.replaceAll(/\{(\w+)\}/g, ':$1')
    const route = {
      method: operation.method.toUpperCase(),
      exposeHeadRoute: false,
      config: { operation },
      onRequest: (request: FastifyRequest) => authenticate(request, operation, service),
      handler: (request: FastifyRequest, reply: FastifyReply) => handle(request, reply, operation, service),
    }
    app.route({ ...route, url })
    app.route({ ...route, url: `${url}/` }) // see the assumption trailingSlash
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation
  }
}

/** Set by `authenticate`. */
interface Authenticated {
  readonly caller: Caller
  readonly assumed: Assumed
}

async function handle(
  request: FastifyRequest,
  reply: FastifyReply,
  operation: Operation,
  { execute }: Service,
): Promise<FastifyReply> {
  const { caller, assumed } = request as Authenticated
  const { interception } = request
  const response = await execute({
    operation,
    caller,
    assumed,
    keyed: readKey(request, operation, assumed),
    parse: () => parseRequest(request, operation, assumed),
    beforeCommit: interception?.beforeCommit,
  })
  // Responses of one iteration of the event loop are written together.
  await setImmediate()
  return sendResponse(reply, interception ? await interception.afterCommit(response) : response)
}
