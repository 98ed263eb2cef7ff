import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'

/**
 * Signs the lines of a ledger with the key of the team, which is not in it. Nobody without that key can make a run
 * delete what it did not make, or send the key to another server; and a line fits no other run.
 */
export class Seal {
  readonly #key: KeyObject

  constructor(teamKey: string, run: string) {
    this.#key = createSecretKey(createHmac('sha256', teamKey).update(`crm-sandbox ledger ${run}`).digest())
  }

  /** A line of the ledger: the content, which has at least one field, with the seal as the last one. */
  sign(content: object): string {
    const text = JSON.stringify(content)
    return `${text.slice(0, -1)},"seal":"${this.#sealOf(text)}"}`
  }

  fits({ seal, ...content }: Record<string, unknown>): boolean {
    const [given, wanted] = [Buffer.from(String(seal)), Buffer.from(this.#sealOf(JSON.stringify(content)))]
    return given.length === wanted.length && timingSafeEqual(given, wanted)
  }

  #sealOf(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url').slice(0, 22)
  }
}
