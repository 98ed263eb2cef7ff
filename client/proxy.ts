import { CannotRun } from './errors.ts'

/** The proxy for a server by the usual variables; none for this machine, nor for a host of NO_PROXY. */
export function proxyFor(origin: string, env: NodeJS.ProcessEnv): string | undefined {
  const variable = variableFor(origin, env)
  return variable === undefined ? undefined : readProxy(variable, env)
}

/** The variable that names this proxy. */
export function variableFor(origin: string, env: NodeJS.ProcessEnv): string | undefined {
  const { protocol, hostname, port } = new URL(origin)
  if (hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')) return undefined
  const name = protocol === 'https:' ? 'https_proxy' : 'http_proxy'
  const variable = [name, name.toUpperCase(), 'all_proxy', 'ALL_PROXY'].find((one) => Boolean(env[one]))
  if (variable === undefined) return undefined
  const excepted = (env.no_proxy ?? env.NO_PROXY ?? '').split(/[\s,]+/).filter(Boolean)
  const actualPort = port === '' ? (protocol === 'https:' ? '443' : '80') : port
  return excepted.some((one) => isExcepted(one, hostname, actualPort)) ? undefined : variable
}

/** The passwords of the proxies that the variables name, alone and with their users. */
export function secretsOfProxies(env: NodeJS.ProcessEnv): string[] {
  const names = ['http_proxy', 'https_proxy', 'all_proxy'].flatMap((name) => [name, name.toUpperCase()])
  return names.flatMap((name) => {
    const url = withProtocol(env[name] ?? '')
    if (!URL.canParse(url)) return []
    const { username, password } = new URL(url)
    const decoded = decode(password) ?? password
    return password === '' ? [] : [password, decoded, `${decode(username) ?? username}:${decoded}`]
  })
}

/** The value is not repeated, since a password may be in it. */
function readProxy(variable: string, env: NodeJS.ProcessEnv): string {
  const text = withProtocol(env[variable] ?? '')
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw new CannotRun(
      `The proxy in ${variable} must be an http or https address, as http://proxy.example.com:8080 is.`,
    )
  if (decode(url.username) === undefined || decode(url.password) === undefined)
    throw new CannotRun(`The user and the password of the proxy in ${variable} must be URL-encoded: % is %25.`)
  return text
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** `*`, a host, a domain such as `.example.com`, or either of them with a port. */
function isExcepted(pattern: string, hostname: string, port: string): boolean {
  const [, name = '', wantedPort] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(pattern) ?? []
  if (wantedPort !== undefined && wantedPort !== port) return false
  return name === '' ? pattern === '*' : hostname === name || hostname.endsWith(`.${name}`)
}

const withProtocol = (proxy: string) => (/^[a-z][\w+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`)
