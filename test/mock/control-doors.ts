import { createHash } from 'node:crypto'
import Fastify from 'fastify'
import { controlDocument, noContext } from '../../mock/control/document.ts'
import { addControlPlane } from '../../mock/control/control-plane.ts'
import type { Sandbox } from '../../mock/create-sandbox.ts'
import { describedOperations } from '../../spec/document.ts'

const document = await controlDocument()

/** One route of the control plane, with something in the place of each parameter, and a body that it would take. */
export interface Door {
  readonly method: string
  readonly path: string
  readonly body?: string
}

/** Every route that the control plane really adds, so that none escapes the tests of access. */
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

/** Records that the world of the tests has, so that a request that came through would change something. */
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

/** A hash over all that the sandbox holds: its world, and all that the control plane tells without a parameter. */
export async function hashOfEverything(sandbox: Sandbox): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(await sandbox.world()))
  for (const path of told) {
    const headers = sandbox.controlToken === undefined ? {} : { 'x-sandbox-token': sandbox.controlToken }
    const answer = await sandbox.fetch(path, { headers })
    hash.update((await answer.text()).replace(/"uptimeSeconds":\d+/, ''))
  }
  return hash.digest('hex')
}

/** What answers for as long as somebody reads, or when a request has come. */
export const lasting = ['/_sandbox/requests/follow', '/_sandbox/requests/wait']

const told = describedOperations(document)
  // The journal tells of refused requests too.
  .filter(({ path }) => !path.startsWith('/_sandbox/requests'))
  .filter(({ method, path, parameters }) => method === 'get' && !path.includes('{') && !parameters.some(isNeeded))
  .map(({ path }) => path)

function isNeeded({ required }: { required?: boolean }): boolean {
  return required === true
}
