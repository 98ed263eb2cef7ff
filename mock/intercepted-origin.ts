import { interceptRequests } from '../testing/intercept.ts'
import { CannotStart } from './cannot-start.ts'
import { readHostName } from './http/guard.ts'

/** Lets the sandbox at `url` answer the requests of this process to an origin. Returns the function that ends it. */
export function interceptOrigin(origin: string, url: string): () => void {
  const end = interceptRequests(origin, url)
  if (!end) throw new CannotStart(`Another sandbox of this process intercepts ${origin}; close it first.`)
  return end
}

/** Reads the origin that a sandbox takes over. */
export function readInterceptedOrigin(text: string): string {
  if (/^https?:\/\/[^\s/?#@*\\]+\/?$/i.test(text) && URL.canParse(text)) {
    const { origin, hostname } = new URL(text)
    if (isHostName(hostname)) return origin
  }
  throw new CannotStart('must be the origin of a server, without a path, such as https://crm.example.com')
}

/** Requests to the origin come over a port, and have its name in their Host header. */
export function withOrigin(origin: string, { port = 0, allowHosts = [] }: Listening): Required<Listening> {
  return { port, allowHosts: [...allowHosts, new URL(origin).hostname] }
}

interface Listening {
  readonly port?: number
  readonly allowHosts?: readonly string[]
}

function isHostName(name: string): boolean {
  try {
    return readHostName(name) === name
  } catch {
    return false
  }
}
