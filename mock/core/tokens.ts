import type { Role } from '../../fixtures/records.ts'
import type { Store } from '../store/port.ts'
import type { Clock } from './clock.ts'

export interface Bearer {
  readonly teamId: string
  readonly userId: string
  readonly role: Role
}

const algorithm = 'HS256'
const longest = 4_096

/** Loaded on first use: it takes a third as long to load as the server, and many sandboxes never see a token. */
const jose = () => import('jose')

/** Signs and verifies bearer tokens. There is one algorithm, every token expires, and a reset ends them all. */
export class Tokens {
  readonly #store: Pick<Store, 'generation'>
  readonly #clock: Clock

  constructor(store: Pick<Store, 'generation'>, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  async sign({ teamId, userId, role }: Bearer, expiresInSeconds: number): Promise<string> {
    const { SignJWT } = await jose()
    const now = Math.floor(this.#clock.now() / 1000)
    return new SignJWT({ team: teamId, role })
      .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
      .setSubject(userId)
      .setIssuedAt(now)
      .setExpirationTime(now + expiresInSeconds)
      .sign(await this.#secret())
  }

  /** Undefined when the token is not ours, damaged or expired. */
  async verify(token: string): Promise<Bearer | undefined> {
    if (token.length > longest) return undefined
    const { jwtVerify } = await jose()
    const options = {
      algorithms: [algorithm],
      requiredClaims: ['exp', 'sub', 'team', 'role'],
      currentDate: new Date(this.#clock.now()),
    }
    const verified = await jwtVerify(token, await this.#secret(), options).catch(() => undefined)
    const { team, sub, role, exp } = verified?.payload ?? {}
    if (!Number.isFinite(exp)) return undefined
    if (typeof team !== 'string' || typeof sub !== 'string' || (role !== 'admin' && role !== 'agent')) return undefined
    return { teamId: team, userId: sub, role }
  }

  async #secret(): Promise<Uint8Array> {
    return Buffer.from((await this.#store.generation()).tokenSecret, 'base64url')
  }
}
