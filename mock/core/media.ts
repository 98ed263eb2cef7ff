/** An uploaded file, of which only size and digest are kept. */
export interface Media {
  readonly bytes: number
  readonly digest: string
}
