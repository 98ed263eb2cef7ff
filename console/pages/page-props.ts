export interface PageProps {
  readonly team: string
  /** The part of the address after the page, such as the id of a record. */
  readonly id: string | undefined
}
