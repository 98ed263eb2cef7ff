import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Assumed } from '../../spec/assumed.ts'
import { type Operation, operations } from '../../spec/operations.ts'
import type { Caller } from '../core/transaction.ts'
import type { Service } from '../engine.ts'
import { authenticate, teamOf } from './authentication.ts'
import { interceptBody } from './faults.ts'
import { parseRequest, readKey } from './reading.ts'

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
        if (service.interception.mayMeet(request.headers))
          await service.interception.onArrival(operation, request.headers, () => teamOf(request, service))
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
