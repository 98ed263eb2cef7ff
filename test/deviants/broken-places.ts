/** Breaks one rule of the mock, and returns what mends it. */
export type Break = () => () => void

/**
 * Replaces an export of a module (`import * as`) or an entry of a table. Calls from inside the module do not go through
 * its exports and still reach the original.
 */
export function replaceIn<Place extends object, Name extends keyof Place>(
  place: Place,
  name: Name,
  broken: (original: NonNullable<Place[Name]>) => Place[Name],
): Break {
  return () => {
    const { [name]: original } = place
    const described = Object.getOwnPropertyDescriptor(place, name)
    if (!described || original === undefined || original === null) throw new Error(`There is no ${String(name)}`)
    Object.defineProperty(place, name, { ...plainProperty, value: broken(original) })
    return () => {
      Object.defineProperty(place, name, described)
    }
  }
}

const plainProperty = { configurable: true, enumerable: true, writable: true } satisfies PropertyDescriptor

type AnyMethod = (...given: unknown[]) => unknown

/** Replaces a method of a class. The original is bound to the object of the call, which is `self`. */
export function replaceMethod<Instance extends object, Name extends keyof Instance>(
  { prototype }: new (...given: never[]) => Instance,
  name: Name,
  broken: (original: Instance[Name], self: Instance) => Instance[Name],
): Break {
  return replaceIn(prototype as Instance, name, (method) => {
    function brokenMethod(this: Instance, ...given: unknown[]): unknown {
      const original = (method as AnyMethod).bind(this) as Instance[Name]
      return (broken(original, this) as AnyMethod)(...given)
    }
    return brokenMethod as Instance[Name]
  })
}

/** For a rule that only breaks when several places do. */
export function together(...breaks: readonly Break[]): Break {
  return () => {
    const mends = breaks.map((breakPlace) => breakPlace())
    return () => {
      for (const mend of mends.toReversed()) mend()
    }
  }
}
