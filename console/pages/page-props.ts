export interface PageProps {
  readonly team: string
  /** What follows the page in the address, such as the id of a record. */
  readonly id: string | undefined
}
