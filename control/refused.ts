/** The control plane refused a request; nothing was changed. The message says what is wrong and what to do. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}
