/** An answer as it goes over the wire, and as a repeated Idempotency-Key gets it again. */
export interface Answered {
  readonly status: number
  readonly body: string
  readonly assumed: readonly string[]
}
