import type { Exchange } from '../client/exchange.ts'
import type { Caller } from '../client/target/credentials.ts'
import type { Incoming } from '../client/transport.ts'
import type { Open } from './facts.ts'
import { Judge, type OnSeen, type Verdict } from './judge.ts'
import { type PassingRequest, parseRequest } from './parse-request.ts'
import type { Numbered } from './steps.ts'

/** Holds the exchanges of a client to every promise. */
export class ExchangeJudge {
  readonly #judge: Judge
  readonly #open = new WeakMap<Exchange['request'], Open>()

  constructor(onSeen?: OnSeen) {
    this.#judge = new Judge({ isAlone: true, onSeen })
  }

  begin(exchange: Exchange): void {
    const request = parseRequest(asPassing(exchange))
    if (request) this.#open.set(exchange.request, this.#judge.begin(request))
  }

  /** `undefined` for a request to no operation of the document. */
  end({ request, incoming }: Exchange & { readonly incoming: Incoming }): (Verdict & Pick<Open, 'began'>) | undefined {
    const open = this.#open.get(request)
    return open && { ...this.#judge.end(open, incoming), began: open.began }
  }

  /** The server may take the request in several ways, so that its effect is unknown. */
  endOdd({ request, incoming }: Exchange & { readonly incoming: Incoming }): void {
    const open = this.#open.get(request)
    if (open) this.#judge.endOdd(open, incoming)
  }

  /** No answer came. Returns the numbers of the request and of its end. */
  lose({ request }: Exchange): Pick<Numbered, 'began' | 'ended'> {
    const open = this.#open.get(request)
    return open ? { began: open.began, ended: this.#judge.lose(open) } : { began: 0, ended: 0 }
  }
}

/** The request for the judge, with the name of the caller in place of the credential, which only the sender knows. */
function asPassing({ request: { method, url, headers, body }, caller }: Exchange): PassingRequest {
  const { pathname, search } = new URL(url)
  const isForm = headers['content-type']?.startsWith('multipart/') === true
  const name = typeof caller === 'string' ? teams[caller] : JSON.stringify(caller)
  const credential = name === undefined ? {} : { 'x-api-key': name }
  const bytes = isForm ? undefined : body
  const role = typeof caller === 'string' ? { role: caller } : {}
  return { method, url: pathname + search, headers: { ...headers, ...credential }, bytes, at: Date.now(), ...role }
}

/** Both tokens belong to users of the first team. */
const teams: Readonly<Record<Exclude<Caller, object>, string | undefined>> = {
  team: 'team',
  otherTeam: 'otherTeam',
  admin: 'team',
  agent: 'team',
  nobody: undefined,
}
