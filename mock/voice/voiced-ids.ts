import { createHash, randomBytes } from 'node:crypto'
import type { Kind } from '../../fixtures/records.ts'
import { idAlphabets, type IdForm, type Voice, writeIdForm } from '../../spec/voice/voice.ts'
import type { Ids } from '../core/ids.ts'

/** Ids in the forms of a voice, and as usual for the kinds that it has no form for. Nobody guesses the next one. */
export function voicedIds(forms: NonNullable<Voice['ids']>, usual: Ids, seed?: number): Ids {
  const origin = seed === undefined ? randomBytes(16).toString('hex') : `crm-sandbox ${seed}`
  const patterns = Object.values(forms).map(patternOf)
  let given = 0
  return {
    next: (kind) => {
      const form = (forms as Readonly<Partial<Record<Kind, IdForm>>>)[kind ?? 'users']
      return form ? idFrom(form, `${origin} ${given++}`) : usual.next(kind)
    },
    mayCollide: true,
    restart: () => {
      usual.restart()
      if (seed !== undefined) given = 0
    },
    looksRight: (text) => patterns.some((pattern) => pattern.test(text)),
    words: `in the form ${[...new Set(Object.values(forms).map(writeIdForm))].join(' or ')}`,
  }
}

/** An id in this form, the same for the same seed. */
export function idFrom({ prefix, alphabet, length }: IdForm, seed: string): string {
  const bytes = createHash('sha512').update(seed).digest()
  if (alphabet === 'uuid') return prefix + uuidFrom(bytes)
  const letters = idAlphabets[alphabet]
  const count = Math.max(length, shortest[alphabet])
  const id = Array.from({ length: count }, (_, at) => letters[(bytes[at] ?? 0) % letters.length]).join('')
  // A number does not begin with 0.
  return prefix + (alphabet === 'digits' ? id.replace(/^0/, '1') : id)
}

/** Shorter ones would soon be there twice. */
const shortest = { hex: 16, digits: 12, lowercase: 12, alphanumeric: 12 } as const

/** Version 4. */
function uuidFrom(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  const variant = '89ab'[(bytes[8] ?? 0) % 4] ?? '8'
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-')
}

function patternOf({ prefix, alphabet, length }: IdForm): RegExp {
  if (alphabet === 'uuid') return new RegExp(`^${prefix}[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$`, 'i')
  const classes = { hex: '0-9a-fA-F', digits: '0-9', lowercase: '0-9a-z', alphanumeric: '0-9A-Za-z' }
  const count = alphabet === 'digits' ? '+' : `{${Math.max(length, shortest[alphabet])}}`
  return new RegExp(`^${prefix}[${classes[alphabet]}]${count}$`)
}
