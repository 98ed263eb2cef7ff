import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Signs the lines of a ledger with the key of the team, which is not in it. Nobody without that key can make a run
 * delete what it did not make, or send the key to another server; and a line fits no other run.
 */
export class Seal {
  readonly #key: Buffer

  constructor(teamKey: string, run: string) {
    this.#key = createHmac('sha256', teamKey).update(`crm-sandbox ledger ${run}`).digest()
  }

  /** A line of the ledger. */
  sign(content: object): string {
    return JSON.stringify({ ...content, seal: this.#sealOf(content) })
  }

  fits({ seal, ...content }: Record<string, unknown>): boolean {
    const [given, wanted] = [Buffer.from(String(seal)), Buffer.from(this.#sealOf(content))]
    return given.length === wanted.length && timingSafeEqual(given, wanted)
  }

  #sealOf(content: object): string {
    return createHmac('sha256', this.#key).update(JSON.stringify(content)).digest('base64url').slice(0, 22)
  }
}
