import { useLocation } from 'preact-iso'

/** The address of a page of a team, or of one thing on that page. */
export const hrefOf = (team: string, page = '', id = '') =>
  ['/console', ...[team, page, id].filter((part) => part !== '').map(encodeURIComponent)].join('/')

/** The state of a page in its URL. A value that is empty leaves the URL. */
export function useQuery() {
  const { query, path, route } = useLocation()
  const set = (values: Readonly<Record<string, string | number | undefined>>) => {
    const next = new URLSearchParams(query)
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined || value === '') next.delete(name)
      else next.set(name, String(value))
    }
    const text = next.toString()
    route(text === '' ? path : `${path}?${text}`, true)
  }
  return { query: query as Readonly<Record<string, string | undefined>>, set }
}
