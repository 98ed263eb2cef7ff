import type { Role } from '../../fixtures/records.ts'
import type { Clock } from './clock.ts'

export interface Bearer {
  readonly teamId: string
  readonly userId: string
  readonly role: Role
}

interface Verified {
  readonly bearer: Bearer
  readonly expiresAt: number
}

const algorithm = 'HS256'
const remembered = 1_000
const longest = 4_096

/** Half of the sandboxes never see a token, and the library takes as long to load as a third of the server. */
const jose = () => import('jose')

/** Signs and verifies the tokens of this sandbox. One algorithm, and every token expires. */
export class Tokens {
  readonly #secret: Uint8Array
  readonly #clock: Clock
  /** Tokens that were verified already, by their whole text; verifying costs more than all else that a read does. */
  readonly #verified = new Map<string, Verified>()

  constructor(secret: Uint8Array, clock: Clock) {
    this.#secret = secret
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
      .sign(this.#secret)
  }

  /** Whom the token names; nobody when it is not ours, not whole, or no longer valid. */
  async verify(token: string): Promise<Bearer | undefined> {
    const known = this.#verified.get(token) ?? (await this.#verifyAnew(token))
    return known && known.expiresAt > this.#clock.now() ? known.bearer : undefined
  }

  async #verifyAnew(token: string): Promise<Verified | undefined> {
    if (token.length > longest) return undefined
    const { jwtVerify } = await jose()
    const payload = await jwtVerify(token, this.#secret, {
      algorithms: [algorithm],
      requiredClaims: ['exp', 'sub', 'team', 'role'],
      currentDate: new Date(this.#clock.now()),
    }).then(
      (result) => result.payload,
      () => undefined,
    )
    if (!payload || typeof payload.team !== 'string' || typeof payload.sub !== 'string') return undefined
    const { exp = Infinity } = payload
    if ((payload.role !== 'admin' && payload.role !== 'agent') || !Number.isFinite(exp)) return undefined
    const bearer: Bearer = { teamId: payload.team, userId: payload.sub, role: payload.role }
    const verified = { bearer, expiresAt: exp * 1000 }
    this.#remember(token, verified)
    return verified
  }

  #remember(token: string, verified: Verified): void {
    const [oldest] = this.#verified.keys()
    if (this.#verified.size >= remembered && oldest !== undefined) this.#verified.delete(oldest)
    this.#verified.set(token, verified)
  }
}
