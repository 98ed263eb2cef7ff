import { useLocation } from 'preact-iso'

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
