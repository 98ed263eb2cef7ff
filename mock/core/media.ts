/** A file that was counted and dropped. Two that are alike have one digest. */
export interface Media {
  readonly bytes: number
  readonly digest: string
}
