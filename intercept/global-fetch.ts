import type { FindTarget } from './take-over.ts'

/** As much of undici's dispatcher as every version has. */
interface Dispatcher {
  dispatch(options: { readonly origin?: string | URL }, handler: unknown): boolean
}

/** Where undici keeps the dispatcher that `fetch` uses: each version reads one of these, and shares it with the others. */
const places = [Symbol.for('undici.globalDispatcher.1'), Symbol.for('undici.globalDispatcher.2')]

/** Redirects the global `fetch`, and the requests of the package undici that name no dispatcher. Returns what undoes it. */
export function redirectFetch(find: FindTarget): () => void {
  Reflect.get(globalThis, 'Response') // the first use loads Node's undici, which sets the dispatcher
  const holder = globalThis as Record<symbol, Dispatcher | undefined>
  const restores = places.map((place) => {
    const before = holder[place]
    if (before === undefined) return () => undefined
    const redirecting = redirect(before, find)
    holder[place] = redirecting
    return () => {
      // Whoever has set another one since may still call this one, which then finds no target.
      if (holder[place] === redirecting) holder[place] = before
    }
  })
  return () => {
    for (const restore of restores) restore()
  }
}

/** The same dispatcher, which asks the sandbox for some origins. */
function redirect(dispatcher: Dispatcher, find: FindTarget): Dispatcher {
  const dispatch: Dispatcher['dispatch'] = (options, handler) => {
    const { origin } = options
    const target = origin === undefined ? undefined : find(origin.toString())
    return dispatcher.dispatch(target ? { ...options, origin: target.url } : options, handler)
  }
  return new Proxy(dispatcher, {
    get: (target, key): unknown => (key === 'dispatch' ? dispatch : Reflect.get(target, key)),
  })
}
