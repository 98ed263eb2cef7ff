import { randomInt } from 'node:crypto'

/** Makes up names and addresses for records, unlike any that exist, by which a run recognises its own ever after. */
export interface Mint {
  readonly run: string
  /** An address at a domain that is reserved for examples, so that nobody ever reads what is sent there. */
  email(): string
  /** A number in E.164 form, with a country code that no country has. */
  phone(): string
  /** A name that contains the mark of the run, such as `Difference engine contract-k3x9… 12`. */
  name(noun: string): string
  /** The same where only letters, digits and underscores are allowed. */
  slug(noun: string): string
  /** An id that no record has ever had. */
  unknownId(): string
  /** An Idempotency-Key that was never used before. */
  key(): string
  /** Whether a text contains something that only this run can have minted. */
  marks(text: string): boolean
}

/** How the names and addresses of a run are recognised. */
export interface Marks {
  readonly run: string
  /** How its phone numbers begin. */
  readonly phones: string
  /** How the ids begin that it made up. */
  readonly ids: string
}

export function newMarks(): Marks {
  return { run: `contract-${draw(10)}`, phones: `+999${draw(7, '0123456789')}`, ids: draw(16, 'abcdef0123456789') }
}

export function createMint({ run, phones, ids }: Marks): Mint {
  const marks = [run, run.replace('-', '_'), phones, ids]
  let count = 0
  const next = () => ++count
  return {
    run,
    email: () => `${run}-${next()}@example.com`,
    phone: () => `${phones}${String(next()).padStart(4, '0')}`,
    name: (noun) => `${noun} ${run} ${next()}`,
    slug: (noun) => `${noun}_${run.replace('-', '_')}_${next()}`,
    unknownId: () => `${ids}${String(next()).padStart(8, '0')}`,
    key: () => `${run}-key-${next()}`,
    marks: (text) => marks.some((mark) => text.includes(mark)),
  }
}

function draw(length: number, from = 'abcdefghijkmnpqrstuvwxyz23456789'): string {
  return Array.from({ length }, () => from[randomInt(from.length)]).join('')
}
