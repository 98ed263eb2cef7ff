import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Assumed } from '../../spec/assumed.ts'
import { type Operation, operations } from '../../spec/operations.ts'
import type { Caller } from '../core/transaction.ts'
import type { Execute } from '../core/execute.ts'
import { authenticate } from './authentication.ts'
import { interceptArrival, interceptBody, type Intercepting } from './faults.ts'
import { parseRequest, readKey } from './reading.ts'

export interface Service extends Intercepting {
  readonly execute: Execute
  /** Whether it refuses fields and parameters that an operation ignores. */
  readonly isStrict: boolean
  /** Applies what other processes on the store have changed; undefined when there are none. */
  readonly refresh: (() => Promise<void>) | undefined
}

/** One route for each operation of the document. */
export function addOperations(app: FastifyInstance, service: Service): void {
  app.decorateRequest('operation', undefined)
  app.decorateRequest('assumed', undefined)
  app.decorateRequest('caller', undefined)
  for (const operation of Object.values(operations)) {
    app.route({
      method: operation.method.toUpperCase(),
      url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      exposeHeadRoute: false,
      onRequest: async (request) => {
        request.operation = operation.id
        if (service.refresh) await service.refresh()
        if (service.interception.mayMeet(request.headers)) await interceptArrival(request, operation, service)
        await authenticate(request, operation, service)
      },
      handler: (request, reply) => handle(request, reply, operation, service),
    })
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
  service: Service,
): Promise<FastifyReply> {
  const { caller, assumed } = request as Authenticated
  const intercepted = service.interception.isOn ? await interceptBody(request, operation, service) : undefined
  const response = await service.execute({
    operation,
    caller,
    assumed,
    keyed: readKey(request, operation, assumed),
    parse: () => parseRequest(request, operation, assumed, service.isStrict),
    beforeCommit: intercepted?.beforeCommit,
  })
  // Responses of one iteration of the event loop are written together.
  await setImmediate()
  return reply.sendResponse(intercepted ? await intercepted.afterCommit(response) : response)
}
