import type { Role } from '../../fixtures/records.ts'
import type { Store } from '../store/port.ts'
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

/** Loaded on first use: it takes a third as long to load as the server, and many sandboxes never see a token. */
const jose = () => import('jose')

/** Signs and verifies bearer tokens. There is one algorithm, every token expires, and a reset ends them all. */
export class Tokens {
  readonly #store: Pick<Store, 'generation'>
  readonly #clock: Clock
  #epoch = 0
  /** Verified tokens by their whole text: verifying costs more than the rest of a read. */
  readonly #verified = new Map<string, Verified>()

  constructor(store: Pick<Store, 'generation'>, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  async sign({ teamId, userId, role }: Bearer, expiresInSeconds: number): Promise<string> {
    const { tokenSecret } = await this.#store.generation()
    const { SignJWT } = await jose()
    const now = Math.floor(this.#clock.now() / 1000)
    return new SignJWT({ team: teamId, role })
      .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
      .setSubject(userId)
      .setIssuedAt(now)
      .setExpirationTime(now + expiresInSeconds)
      .sign(tokenSecret)
  }

  /** Undefined when the token is not ours, damaged or expired. */
  async verify(token: string): Promise<Bearer | undefined> {
    const { epoch, tokenSecret } = await this.#store.generation()
    if (epoch !== this.#epoch) this.#verified.clear()
    this.#epoch = epoch
    const known = this.#verified.get(token) ?? (await this.#verifySignature(token, tokenSecret))
    return known && known.expiresAt > this.#clock.now() ? known.bearer : undefined
  }

  async #verifySignature(token: string, secret: Uint8Array): Promise<Verified | undefined> {
    if (token.length > longest) return undefined
    const { jwtVerify } = await jose()
    const payload = await jwtVerify(token, secret, {
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
