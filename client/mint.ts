import { randomInt } from 'node:crypto'

/** What a run calls its records: unlike anything that is there, and to be recognised ever after. */
export interface Mint {
  readonly run: string
  /** An address at a domain that is reserved for examples, so that nobody ever reads what is sent there. */
  email(): string
  /** A number in E.164 form, under a country code that no country has. */
  phone(): string
  /** A name that holds the mark of the run, such as `Difference engine contract-k3x9… 12`. */
  name(noun: string): string
  /** The same for where only letters, digits and underscores may stand. */
  slug(noun: string): string
  /** An id that no record ever had. */
  unknownId(): string
  /** A key that was never used before. */
  key(): string
  /** Whether a text holds something that this run minted and nobody else could have. */
  marks(text: string): boolean
}

/** What has to be known of a run to recognise what it minted. */
export interface Marks {
  readonly run: string
  /** How its phone numbers begin. */
  readonly phones: string
  /** How ids begin that it made up. */
  readonly ids: string
}

export function newMarks(): Marks {
  return { run: `contract-${letters(10)}`, phones: `+999${digits(7)}`, ids: letters(16, 'abcdef0123456789') }
}

export function mintOf({ run, phones, ids }: Marks): Mint {
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

const digits = (length: number) => letters(length, '0123456789')

function letters(length: number, from = 'abcdefghijkmnpqrstuvwxyz23456789'): string {
  return Array.from({ length }, () => from[randomInt(from.length)]).join('')
}
