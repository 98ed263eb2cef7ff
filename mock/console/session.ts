import { computed, signal } from '@preact/signals'
import { control, Refused } from '../testing/control-client.ts'
import { routes } from '../../spec/generated/routes.ts'
import { createClient, CrmError } from '../testing/client.ts'

// All requests of the console: to the control plane, and as a team to the API.

const tokenName = 'crm-sandbox-token'

const token = signal(sessionStorage.getItem(tokenName) ?? undefined)

/** Whether the control plane has refused the token, or the lack of one. */
export const needsToken = signal(false)

/** Whether the control plane has refused a token that was entered. */
export const isTokenWrong = computed(() => needsToken.value && token.value !== undefined)

export function useToken(text: string): void {
  sessionStorage.setItem(tokenName, text)
  token.value = text
  needsToken.value = false
}

/** The client of the control plane; it changes with the token. */
export const sandbox = computed(() =>
  control({ url: location.origin, ...(token.value !== undefined && { token: token.value }) }),
)

/** The prefix of the ids of the console's own requests, so that the journal can hide them. */
export const ownRequests = 'console-'

/** The 32 operations, as the team of this API key. */
export const asTeam = (apiKey: string) =>
  createClient({
    baseUrl: location.origin,
    headers: { 'x-api-key': apiKey },
    fetch: (url, init) => {
      const headers = new Headers(init.headers)
      headers.set('x-request-id', `${ownRequests}${crypto.randomUUID()}`)
      return fetch(url, { ...init, headers })
    },
  })

type Operation = (...input: unknown[]) => Promise<{ readonly data?: unknown }>

/** Calls an operation of the API by its id, as a team. */
export async function callAs(team: string, operation: string, ...input: unknown[]): ReturnType<Operation> {
  const { apiKeys } = await sandbox.value.teams.get(team)
  const crm = asTeam(apiKeys[0] ?? '') as unknown as Readonly<Record<string, Operation>>
  const call = crm[operation]
  if (!call) throw new Error(`The API has no operation ${operation}.`)
  return call(...input)
}

/** In the order of the document. */
export const operationIds = Object.keys(routes)

/** One sentence for a person: as the control plane or the API said it. Asks for the token when one is missing. */
export function sentenceOf(error: unknown): string {
  if (error instanceof Refused && error.status === 401) needsToken.value = true
  if (error instanceof Refused) return error.message
  if (error instanceof CrmError) return `${error.status}: ${messageIn(error.body) ?? error.message}`
  if (error instanceof TypeError) return 'The sandbox does not answer. Is it still running?'
  return error instanceof Error ? error.message : String(error)
}

const messageIn = (body: unknown) =>
  typeof body === 'object' && body !== null && 'message' in body ? String(body.message) : undefined
