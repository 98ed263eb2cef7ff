import type { Faker } from '@faker-js/faker'
import type { Fields } from '../client/answer.ts'
import { fictionalNumber } from '../client/fictional-numbers.ts'
import type { ApiKind } from '../../fixtures/records.ts'

/** Ids, times and values of lists: they name no person. */
const namesNobody = new RegExp(
  '^_id$|Ids?$|At$|Date$|^(company|contacts|owner|pipeline|stage|template|channel|direction|status|currency|country|' +
    'lifecycleStage|billingFrequency|signatureOption)$',
)

/** The material of the team itself. */
const ofTheTeam: readonly ApiKind[] = ['templates', 'products', 'conversations']

/** Replaces data of people with made-up data of the same shape; the same value always with the same one. */
export class MadeUp {
  readonly #faker: Faker
  readonly #known = new Map<string, string>()

  private constructor(faker: Faker) {
    this.#faker = faker
    faker.seed(1)
  }

  static async load(): Promise<MadeUp> {
    // The main module of faker imports all locales.
    const { faker } = await import('@faker-js/faker/locale/en')
    return new MadeUp(faker)
  }

  record(kind: ApiKind, record: Fields): Fields {
    if (ofTheTeam.includes(kind)) return record
    return Object.fromEntries(
      Object.entries(record).map(([field, value]) => [field, this.#valueOf(kind, field, value)]),
    )
  }

  #valueOf(kind: ApiKind, field: string, value: unknown): unknown {
    if (namesNobody.test(field)) return value
    if (field === 'additionalFields') return this.#anything(value)
    if (typeof value !== 'string' || value === '') return value
    const byField = this.#byField[kind === 'companies' && field === 'name' ? 'companyName' : field]
    return byField ? this.#once(`${field} ${value.toLowerCase()}`, byField) : this.#text(value)
  }

  /** A field without an entry is a text. */
  readonly #byField: Readonly<Record<string, () => string>> = {
    firstName: () => this.#faker.person.firstName(),
    lastName: () => this.#faker.person.lastName(),
    email: () => `${this.#faker.lorem.word()}.${this.#known.size}@example.com`,
    phone: () => fictionalNumber(this.#known.size),
    phoneNumber: () => fictionalNumber(this.#known.size),
    companyName: () => this.#faker.company.name(),
    domain: () => `${this.#faker.lorem.word()}-${this.#known.size}.example`,
    address: () => this.#faker.location.streetAddress(),
    city: () => this.#faker.location.city(),
    state: () => this.#faker.location.state(),
    logoUrl: () => 'https://files.example.com/logo.png',
    url: () => 'https://example.com/',
  }

  #once(name: string, make: () => string): string {
    const known = this.#known.get(name) ?? make()
    this.#known.set(name, known)
    return known
  }

  /** The value of a custom field, which may be anything. */
  #anything(value: unknown): unknown {
    if (typeof value === 'string') return this.#text(value)
    if (typeof value === 'number') return Number(this.#digits(String(value)))
    if (Array.isArray(value)) return value.map((one) => this.#anything(one))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.#anything(one)]))
  }

  /** Keeps punctuation, line breaks, merge fields and the names of HTML elements. */
  #text(text: string): string {
    return this.#once(`text ${text}`, () =>
      text.replace(parts, (part, element: string | undefined) => {
        if (part.startsWith('{{')) return part
        if (element !== undefined) return `<${element}>`
        if (part.startsWith('http')) return 'https://example.com/'
        if (part.includes('@')) return String(this.#valueOf('contacts', 'email', part))
        return /\d/.test(part) ? this.#digits(part) : this.#word(part)
      }),
    )
  }

  #word(word: string): string {
    const other = this.#faker.lorem.word({ length: word.length, strategy: 'closest' })
    return /^\p{Lu}/u.test(word) ? `${other.charAt(0).toUpperCase()}${other.slice(1)}` : other
  }

  #digits(text: string): string {
    return text.replaceAll(/\d/g, () => this.#faker.string.numeric({ allowLeadingZeros: false, exclude: ['0'] }))
  }
}

/** Merge fields, HTML elements, addresses, words and numbers. */
const parts = /\{\{.*?\}\}|<(\/?\w+)[^>]*>|https?:\S+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|[\p{L}\p{M}]+|[\d.]*\d/gu
