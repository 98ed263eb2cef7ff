/** The file cannot be used as a store. Nothing was changed. */
export class UnusableFile extends Error {
  constructor(path: string, reason: string, remedy: string) {
    super(`${path} ${reason}: ${remedy}.`)
  }
}
