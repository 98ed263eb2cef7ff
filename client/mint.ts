import { randomInt } from 'node:crypto'
import { countOfNumbers, fictionalNumber } from './fictional-numbers.ts'

/** Makes up names and addresses for records, unlike any that exist, by which a run recognises its own ever after. */
export interface Mint {
  readonly run: string
  /** An address at a domain that is reserved for examples, where nobody reads, unless the operator names another. */
  email(): string
  /** A number that is kept for fiction, so that nobody has it, though it is valid. */
  phone(): string
  /** A name that contains the mark of the run, such as `Difference engine contract-k3x9… 12`. */
  name(noun: string): string
  /** The same where only letters, digits and underscores are allowed. */
  slug(noun: string): string
  /** An id that no record has ever had. */
  unknownId(): string
  /** An Idempotency-Key that was never used before. */
  key(): string
  /** Whether a text contains something that this run minted: of phone numbers, those of this very process. */
  marks(text: string): boolean
}

/** How the names and addresses of a run are recognised. */
export interface Marks {
  readonly run: string
  /** With which fictional number it begins. */
  readonly phones: string
  /** How the ids begin that it made up. */
  readonly ids: string
}

export function newMarks(): Marks {
  return { run: `contract-${draw(10)}`, phones: String(randomInt(countOfNumbers)), ids: draw(16, 'abcdef0123456789') }
}

export function createMint({ run, phones, ids }: Marks, emailDomain = 'example.com'): Mint {
  const marks = [run, run.replace('-', '_'), ids]
  const minted = new Set<string>()
  let count = 0
  const next = () => ++count
  const newPhone = () => {
    const phone = fictionalNumber(Number(phones) + minted.size)
    minted.add(phone)
    return phone
  }
  return {
    run,
    email: () => `${run}-${next()}@${emailDomain}`,
    phone: newPhone,
    name: (noun) => `${noun} ${run} ${next()}`,
    slug: (noun) => `${noun}_${run.replace('-', '_')}_${next()}`,
    unknownId: () => `${ids}${String(next()).padStart(8, '0')}`,
    key: () => `${run}-key-${next()}`,
    marks: (text) =>
      marks.some((mark) => text.includes(mark)) || (text.match(/\+\d{7,15}/g) ?? []).some((one) => minted.has(one)),
  }
}

function draw(length: number, from = 'abcdefghijkmnpqrstuvwxyz23456789'): string {
  return Array.from({ length }, () => from[randomInt(from.length)]).join('')
}
