import type { Era } from '../port.ts'

/** An era as a file holds it. */
export interface WrittenEra {
  readonly epoch: number
  readonly tokenSecret: string
}

const secretText = /^[\w-]{43}$/

export function writeEra({ epoch, tokenSecret }: Era): WrittenEra {
  return { epoch, tokenSecret: Buffer.from(tokenSecret).toString('base64url') }
}

export function readEra({ epoch, tokenSecret }: WrittenEra): Era {
  return { epoch, tokenSecret: new Uint8Array(Buffer.from(tokenSecret, 'base64url')) }
}

export function isWrittenEra(value: unknown): value is WrittenEra {
  const { epoch, tokenSecret } = (value ?? {}) as { epoch?: unknown; tokenSecret?: unknown }
  return Number.isSafeInteger(epoch) && typeof tokenSecret === 'string' && secretText.test(tokenSecret)
}
