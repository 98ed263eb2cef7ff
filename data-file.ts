/**
 * The URL of a data file, by its path in the repository. The build puts all code into `dist` itself and data files under
 * their paths there, so this module must stay at the top level.
 */
export function dataFile(path: string): URL {
  return new URL(path, import.meta.url)
}
