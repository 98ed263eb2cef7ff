/** The proxy for a server by the usual variables; none for this machine, nor for a host of NO_PROXY. */
export function proxyFor(origin: string, env: NodeJS.ProcessEnv): string | undefined {
  const { protocol, hostname, port } = new URL(origin)
  if (hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')) return undefined
  const name = protocol === 'https:' ? 'https_proxy' : 'http_proxy'
  const proxy = [name, name.toUpperCase(), 'all_proxy', 'ALL_PROXY'].map((one) => env[one]).find(Boolean)
  if (proxy === undefined) return undefined
  const excepted = (env.no_proxy ?? env.NO_PROXY ?? '').split(/[\s,]+/).filter(Boolean)
  const actualPort = port === '' ? (protocol === 'https:' ? '443' : '80') : port
  return excepted.some((one) => isExcepted(one, hostname, actualPort)) ? undefined : withProtocol(proxy)
}

/** `*`, a host, a domain such as `.example.com`, or either of them with a port. */
function isExcepted(pattern: string, hostname: string, port: string): boolean {
  const [, name = '', wantedPort] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(pattern) ?? []
  if (wantedPort !== undefined && wantedPort !== port) return false
  return name === '' ? pattern === '*' : hostname === name || hostname.endsWith(`.${name}`)
}

const withProtocol = (proxy: string) => (/^https?:\/\//.test(proxy) ? proxy : `http://${proxy}`)
