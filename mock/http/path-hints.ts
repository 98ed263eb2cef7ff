import { closeTo } from '../../spec/close-to.ts'
import { looksLikeAnId } from '../core/ids.ts'

interface Route {
  readonly method: string
  /** With parameters, such as `/api/contacts/{contactId}`. */
  readonly path: string
}

/** What could have been meant by a path or a method that there is not. It repeats nothing of what was sent. */
export function hintOfPath(method: string, url: string, routes: readonly Route[]): string {
  const [path = ''] = url.split('?')
  const sent = path.split('/')
  const close = closePaths(segmentsOf(path), routes)
  const meant = close.find((one) => methodsOf(one, routes).includes(method))
  const exact = routes.filter((route) => isPathOf(route, sent))
  // Any word may stand where an id does, as in /api/messages/sendEmail.
  const isSure = looksLikeAnId(sent.at(-1) ?? '') || exact.some((route) => !route.path.includes('{'))
  if (exact.length > 0 && (isSure || meant === undefined)) {
    return `this path takes ${methodsOfAll(exact).join(' or ')}, not ${/^[A-Z]{1,20}$/.test(method) ? method : 'this method'}`
  }
  const best = meant ?? close[0]
  if (best === undefined) return 'no such path; /docs shows those that there are'
  return `no such path; did you mean ${meant ? method : methodsOf(best, routes).join(' or ')} ${best}`
}

/** The paths of the routes that are like what was sent, the closest first. */
function closePaths(sent: readonly string[], routes: readonly Route[]): string[] {
  const parameter = sent.length > 1 ? sent.at(-1) : ''
  const paths = new Map(routes.map(({ path }) => [inWords(segmentsOf(path), parameter), path]))
  return closeTo(inWords(sent), [...paths.keys()]).map((words) => paths.get(words) ?? '')
}

export function isPathOf({ path }: Route, sent: readonly string[]): boolean {
  const documented = path.split('/')
  return documented.length === sent.length && documented.every((part, at) => part.startsWith('{') || part === sent[at])
}

const methodsOf = (path: string, routes: readonly Route[]) =>
  methodsOfAll(routes.filter((route) => route.path === path))

const methodsOfAll = (routes: readonly Route[]) => routes.map(({ method }) => method.toUpperCase())

/** Without what all paths begin with, or what people take for it. */
function segmentsOf(path: string): string[] {
  const segments = path.split('/').filter((segment) => segment !== '')
  const first = segments.findIndex((segment) => !/^(?:api|v\d+)$/i.test(segment))
  return first < 0 ? [] : segments.slice(first)
}

/** A parameter stands for whatever was sent in its place, and all ids look the same. */
function inWords(segments: readonly string[], parameter = ''): string {
  const shown = segments.map((segment) => (segment.startsWith('{') ? parameter : segment))
  return shown.map((segment) => (looksLikeAnId(segment) ? 'id' : segment)).join('/')
}
