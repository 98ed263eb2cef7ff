/** The build sets this name in all that it writes. */
declare const IS_BUILT: boolean | undefined

/** Whether this is the code that the build has put into `dist`, and not the source. */
export const isBuilt = typeof IS_BUILT !== 'undefined'

/** The URL of a data file, by its path in the repository. The build puts all code into `dist` itself, and data files under their paths there. */
export function dataFile(path: string): URL {
  return new URL(path, root)
}

const root = new URL(isBuilt ? '.' : '..', import.meta.url)
