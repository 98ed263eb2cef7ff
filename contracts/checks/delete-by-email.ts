import { expect } from 'vitest'
import type { Tools } from '../../client/tools.ts'

/** The message of a delete by e-mail, without the address, which contains numbers of its own. */
export async function deleteByEmail(ask: Tools['ask'], email: string): Promise<string> {
  return (await ask('deleteContactsByEmail', { query: { email } })).message.replaceAll(email, '')
}

/** Expects a message that states numbers, in digits or in English, to state this one; it may be said in another way. */
export function expectCount(message: string, count: number): void {
  const words = message.toLowerCase().match(/\d+|[a-z]+/g) ?? []
  const stated = words.map((word) => (/\d/.test(word) ? Number(word) : numbers.indexOf(word))).filter((one) => one >= 0)
  if (stated.length > 0) expect(stated).toContain(count)
}

const numbers = ['no', 'one', 'two', 'three']
