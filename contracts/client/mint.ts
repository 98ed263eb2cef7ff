import { randomInt, randomUUID } from 'node:crypto'
import { once } from '../../lib/async.ts'
import { countOfNumbers, fictionalNumber, indexOfNumber } from './fictional-numbers.ts'

/** How the names and addresses of a run are recognised. */
export interface Marks {
  readonly run: string
  /** With which fictional number it begins. */
  readonly phones: string
  /** How the ids begin that it made up. */
  readonly ids: string
}

const mostPhones = 4000

/** Reserved for examples: no mail is delivered there. */
export const domainOfExamples = 'example.com'

export function newMarks(): Marks {
  return { run: `contract-${draw(10)}`, phones: String(randomInt(countOfNumbers)), ids: draw(16, 'abcdef0123456789') }
}

/** Generates unique names and addresses, so that a run recognizes its own records. */
export type Mint = Readonly<ReturnType<typeof createMint>>

export function createMint({ run, phones, ids }: Marks, emailDomain = domainOfExamples) {
  const marks = [run, run.replace('-', '_'), ids]
  let count = 0
  const next = () => ++count
  let countOfPhones = 0
  const keys = randomUUID().slice(0, -4)
  let countOfKeys = 0
  /** A run makes up consecutive numbers, and fewer than these. */
  const isOwnPhone = (phone: string) => {
    const index = indexOfNumber(phone)
    return index !== undefined && (index - Number(phones) + countOfNumbers) % countOfNumbers < mostPhones
  }
  /** An address at a domain where no mail is delivered, unless the operator names another. */
  const email = () => `${run}-${next()}@${emailDomain}`
  /** A valid number that is reserved for fiction. */
  const phone = () => fictionalNumber(Number(phones) + (countOfPhones++ % mostPhones))
  return {
    run,
    /** The random part of the mark. */
    letters: run.slice(run.indexOf('-') + 1),
    number: next,
    email,
    phone,
    /** One person for a whole run. */
    someone: once(() => ({ email: email(), phone: phone() })),
    /** A name that contains the mark of the run, such as `Difference engine contract-k3x9… 12`. */
    name: (noun: string) => `${noun} ${run} ${next()}`,
    /** The same for a person: a server may take only letters in such a name. */
    surname: (noun: string) => `${noun} ${run}`,
    /** The same where only letters, digits and underscores are allowed. */
    slug: (noun: string) => `${noun}_${run.replace('-', '_')}_${next()}`,
    /** The id of no record. */
    unknownId: () => `${ids}${String(next()).padStart(8, '0')}`,
    /** A new Idempotency-Key: a UUID, since a server may take no other. Those of a run differ at their ends, since a server may store only the beginning. */
    key: () => `${keys}${(countOfKeys++ % 0x1_00_00).toString(16).padStart(4, '0')}`,
    /** Whether a text contains a name, an address or an id that this run generated. */
    marks: (text: string) =>
      marks.some((mark) => text.toLowerCase().includes(mark)) || (text.match(/\+\d{7,15}/g) ?? []).some(isOwnPhone),
  }
}

function draw(length: number, from = 'abcdefghijkmnpqrstuvwxyz'): string {
  return Array.from({ length }, () => from[randomInt(from.length)]).join('')
}
