import { createHash } from 'node:crypto'
import Fastify from 'fastify'
import { controlDocument, noContext } from '../../mock/control/document.ts'
import { addControlPlane } from '../../mock/control/control-plane.ts'
import type { Sandbox } from '../../mock/create-sandbox.ts'
import { describedOperations } from '../../spec/document.ts'

const document = await controlDocument()

/** A route of the control plane with a value for each parameter, and a body that it accepts. */
export interface Door {
  readonly method: string
  readonly path: string
  readonly body?: string
}

/** Every route that the control plane adds, so that the tests of access cover all of them. */
export async function findDoors(): Promise<readonly Door[]> {
  const app = Fastify()
  const found: Door[] = []
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) found.push(doorOf(one, url))
  })
  addControlPlane(app, noContext)
  await app.ready()
  await app.close()
  return found
}

/** Ids of records in the world of the tests, so that an accepted request changes something. */
const values: Readonly<Record<string, string>> = { teamId: 'acme' }

function doorOf(method: string, url: string): Door {
  const path = url.replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? 'unknown')
  const body = bodies.get(`${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`)
  return { method, path, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
}

const bodies = new Map(
  describedOperations(document).map(({ method, path, requestBody }) => {
    const { example } = requestBody?.content['application/json'] ?? {}
    return [`${method.toUpperCase()} ${path}`, requestBody && (example ?? {})]
  }),
)

/** A hash of the world of the sandbox and of every answer of the control plane to a GET without parameters. */
export async function hashOfEverything(sandbox: Sandbox): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(await sandbox.world()))
  for (const path of readable) {
    const headers = sandbox.controlToken === undefined ? {} : { 'x-sandbox-token': sandbox.controlToken }
    const answer = await sandbox.fetch(path, { headers })
    hash.update((await answer.text()).replace(/"uptimeSeconds":\d+/, ''))
  }
  return hash.digest('hex')
}

/** Routes whose answer waits for a request, or lasts. */
export const lasting = ['/_sandbox/events', '/_sandbox/requests/follow', '/_sandbox/requests/wait']

const readable = describedOperations(document)
  // The journal contains refused requests too, and no request changes the worlds of the package.
  .filter(({ path }) => !/^\/_sandbox\/(requests|worlds)/.test(path) && !lasting.includes(path))
  .filter(({ method, path, parameters }) => method === 'get' && !path.includes('{') && !parameters.some(isNeeded))
  .map(({ path }) => path)

function isNeeded({ required }: { required?: boolean }): boolean {
  return required === true
}
