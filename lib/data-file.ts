/**
 * The URL of a data file, by its path in the repository. The build puts all code into `dist` itself, and data files under their
 * paths there.
 */
export function dataFile(path: string): URL {
  return new URL(path, root)
}

/** In the repository, this file is in a folder. */
const root = new URL(import.meta.url.endsWith('/lib/data-file.ts') ? '..' : '.', import.meta.url)
