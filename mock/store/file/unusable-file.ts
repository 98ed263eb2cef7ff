/** The file cannot serve as a store. Nothing was changed. */
export class UnusableFile extends Error {
  constructor(path: string, reason: string, remedy: string) {
    super(`${path} ${reason}: ${remedy}.`)
  }
}
