/** Gives the name of an option, such as `--up-to`. */
export type NameOf = (option: string) => string

/** Where an option got its value: a variable or a place in a config file; `undefined` for its flag. */
type PlaceOf = (option: string) => string | undefined

interface UserErrorOptions extends ErrorOptions {
  /** The option that caused the error, such as `store`, unless the message names it. */
  readonly option?: string | undefined
}

/** An error that a user can correct. The message is one sentence that says how, with the names of options as flags. */
export class UserError extends Error {
  override readonly name: string = 'UserError'
  option: string | undefined
  readonly #words: (nameOf: NameOf) => string

  constructor(words: string | ((nameOf: NameOf) => string), { option, ...more }: UserErrorOptions = {}) {
    const inWords = typeof words === 'string' ? () => words : words
    super(inWords(flagOf), more)
    this.option = option
    this.#words = inWords
  }

  /** The message with the name of an option, or before it, as the user set the option. */
  messageWith(placeOf: PlaceOf): string {
    const message = this.#words((option) => placeOf(option) ?? flagOf(option))
    const place = this.option === undefined ? undefined : placeOf(this.option)
    return place === undefined ? message : `${place}: ${message}`
  }
}

/** The sandbox cannot start with these options. */
export class CannotStart extends UserError {
  override readonly name = 'CannotStart'
}

/** The flag of an option: `--up-to` of `upTo`. */
export const flagOf = (option: string) => `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** Reads the value of an option, and notes the option in an error about the value. */
export async function readOption<Value>(option: string, read: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof UserError) error.option ??= option
    throw error
  }
}
