import type { ByChoice } from '../../spec/assumptions.ts'
import { isEmailAddress } from '../../spec/forms.ts'
import { refuse } from '../core/refusals.ts'
import type { Turn } from '../core/turn.ts'

/** Texts of a record that are an address of some kind. */
interface Addresses {
  readonly email?: string | undefined
  readonly domain?: string | undefined
  readonly logoUrl?: string | undefined
  readonly imageUrl?: string | undefined
  readonly url?: string | undefined
}

/** The specification calls these fields strings, without a format. */
export function checkTextForms({ email, domain, logoUrl, imageUrl, url }: Addresses, { assumed }: Turn): void {
  const odd = Object.entries({ email, domain, logoUrl, imageUrl, url }).find(
    ([field, text]) => text !== undefined && !(isValid[field] ?? isUrl)(text),
  )
  if (odd) recordTextForms[assumed.recordTextForms](odd[0])
}

const isUrl = (text: string) => /^https?:\/\//i.test(text) && URL.canParse(text)
const isDomain = (text: string) => text.length <= 253 && /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(text)

const isValid: Readonly<Record<string, (text: string) => boolean>> = { email: isEmailAddress, domain: isDomain }

const words: Readonly<Record<string, string>> = {
  email: 'an e-mail address, such as ada@example.com',
  domain: 'a domain, such as example.com',
}

const recordTextForms: ByChoice<'recordTextForms', (field: string) => void> = {
  anyString: () => undefined,
  checked: (field) =>
    refuse(`${field} must be ${words[field] ?? 'a URL, such as https://example.com'}`, {
      assumption: 'recordTextForms',
      field,
    }),
}
