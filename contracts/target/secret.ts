import { inspect } from 'node:util'

const hidden = '[redacted]'

/** A value that may be sent and never shown: however it is printed, it prints as `[redacted]`. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** Only for a header. */
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

/** Takes out of a text every one of these values, in whatever form it stands there, and whatever looks like a token. */
export function redactor(values: readonly string[]): (text: string) => string {
  const forms = new Set(values.filter((value) => value.length >= shortest).flatMap(formsOf))
  return (text) => {
    let redacted = text.replace(looksSecret, hidden)
    for (const form of forms) if (redacted.includes(form)) redacted = redacted.replaceAll(form, hidden)
    return redacted
  }
}

/** What is shorter stands in too many other words. */
const shortest = 6

const looksSecret = /\beyJ[\w-]+\.[\w-]*(?:\.[\w-]*)?/g

function formsOf(value: string): string[] {
  const base64 = Buffer.from(value).toString('base64')
  const written = JSON.stringify(value).slice(1, -1)
  return [
    value,
    encodeURIComponent(value),
    written,
    base64,
    base64.replace(/=+$/, ''),
    Buffer.from(value).toString('base64url'),
  ]
}
