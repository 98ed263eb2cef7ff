import { inspect } from 'node:util'
import { hidden } from '../../shared/redactor.ts'

/** A value that is sent and never shown: however it is printed, it prints as `[redacted]`. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** Only for a header, or for a worker of the same run. */
  reveal(): string {
    return this.#value
  }

  toString(): string {
    return hidden
  }

  toJSON(): string {
    return hidden
  }

  [inspect.custom](): string {
    return hidden
  }
}
