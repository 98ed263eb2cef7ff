import { createClient, type CrmClient } from './client.ts'

/** A team of a sandbox, with all that a test needs to ask as this team. */
export interface Team {
  readonly id: string
  readonly name: string
  /** Its API key. */
  readonly key: string
  /** The key as a header: `{ 'x-api-key': key }`. */
  readonly headers: Readonly<Record<string, string>>
  /** The address of the sandbox. */
  readonly url: string
  /** Works like the global `fetch`; adds the key, unless the request has a credential. A path is enough as the URL. */
  readonly fetch: Fetch
  /** The 32 operations as functions. */
  readonly crm: CrmClient
}

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** As much of a sandbox as it takes to make a team, whatever else is said of the new team. */
interface Sandbox<Options> {
  readonly url: string
  /** Asks this sandbox, and nothing else. */
  readonly fetch: Fetch
  readonly teams: { create(team?: Options): Promise<{ readonly teamId: string; readonly apiKey: string }> }
}

export async function newTeam<Options extends { readonly name?: string }>(
  { url, fetch, teams }: Sandbox<Options>,
  options?: Options,
): Promise<Team> {
  const { teamId: id, apiKey: key } = await teams.create(options)
  const headers = { 'x-api-key': key }
  return {
    id,
    name: options?.name ?? id,
    key,
    headers,
    url,
    fetch: withCredential(headers, fetch),
    crm: createClient({ baseUrl: url, headers, fetch }),
  }
}

/** Whether a text is the URL of a server, without a path. */
export const isServerUrl = (text: string) => /^https?:\/\/[^\s/?#@*\\]+\/?$/i.test(text) && URL.canParse(text)

/** The global `fetch` for one sandbox: a key goes nowhere else. */
export function fetchOnly(url: string): Fetch {
  const { origin } = new URL(url)
  return async (input, init) => {
    const target = new URL(input instanceof Request ? input.url : input, url)
    if (target.origin !== origin) throw new TypeError(`This fetch only asks ${url}, not ${target.origin}`)
    return fetch(input instanceof Request ? input : target, init)
  }
}

function withCredential(headers: Team['headers'], fetch: Fetch): Fetch {
  return async (input, init) => {
    const all = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined))
    if (!all.has('x-api-key') && !all.has('authorization')) {
      for (const [name, value] of Object.entries(headers)) all.set(name, value)
    }
    return fetch(input, { ...init, headers: all })
  }
}
