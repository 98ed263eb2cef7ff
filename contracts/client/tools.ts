import type { AssumptionName, Choice } from '../../spec/assumptions.ts'
import type { DataOf, OperationId } from '../../spec/types.ts'
import { type Answer, idOf } from './answer.ts'
import { type Bodies, createBodies, type Ground, plainType } from './bodies.ts'
import type { Client } from './client.ts'
import { NotAllowed, StepFailed } from './errors.ts'
import type { Mint } from './mint.ts'
import { type CreatedKind, kinds, type OwnedKind, pathTo, readOf, type Subject } from './kinds.ts'
import type { Input } from './request.ts'
import type { Caller } from './target/credentials.ts'
import type { Target } from './target/target.ts'

/** The functions for checks and probes, for one caller. */
export interface Tools extends Ground {
  /** Calls an operation and returns any answer. */
  readonly call: <Id extends OperationId>(operation: Id, input?: Input) => Promise<Answer<Id>>
  /** A call that must succeed. Throws `StepFailed`. */
  readonly ask: <Id extends OperationId>(operation: Id, input?: Input) => Promise<Answer<Id>>
  /** Creates records that the run deletes at its end. */
  readonly make: Make
  /** The ids of the records that the run created and has not deleted, the oldest first. */
  readonly created: (kind: CreatedKind) => readonly string[]
  /** A record as it is now; `undefined` when it does not exist. */
  readonly readRecord: <K extends CreatedKind>(kind: K, record: Subject) => Promise<Shown<K> | undefined>
  /** The answer that shows a record: to a read or, for some kinds, to an empty update. */
  readonly readAnswer: <K extends CreatedKind>(kind: K, record: Subject) => Promise<Answer<ShownBy<K>>>
  /** Valid bodies for every create and send. */
  readonly some: Bodies
  /** The same tools for another caller. */
  readonly as: (caller: Caller) => Tools
  /** Reports the behaviour of the server where the specification leaves it open. */
  readonly observe: <Name extends AssumptionName>(assumption: Name, choice: Choice<Name>) => void
}

type ShownBy<K extends CreatedKind> = (typeof kinds)[K]['shownBy']
type Shown<K extends CreatedKind> = NonNullable<DataOf<ShownBy<K>>>

export function createTools(
  client: Pick<Client, 'call' | 'created'>,
  target: Target,
  mint: Mint,
  { caller = 'team', observe = () => undefined }: { caller?: Caller; observe?: Tools['observe'] } = {},
): Tools {
  const ground = createGround(caller === 'otherTeam' ? asOtherTeam(target) : target, mint)
  const some = createBodies(ground)
  const call: Tools['call'] = (operation, input) => client.call(operation, { caller, ...input })
  const ask: Tools['ask'] = async (operation, input) => {
    const answer = await call(operation, input)
    if (!answer.succeeded)
      throw new StepFailed(`a step failed: ${answer.summary}${caller === 'otherTeam' ? hintAtOtherTeam : ''}`)
    return answer
  }
  const readAnswer: Tools['readAnswer'] = async (kind, { _id, firstName, name }) => {
    const { shownBy } = kinds[kind]
    const [, input] = readOf(kind, _id)
    const answer = await call(shownBy, input)
    // Another check covers the refusal of an empty update.
    if (input.body === undefined || answer.status !== 400) return answer
    return call(shownBy, { ...input, body: firstName === undefined ? { name } : { firstName } })
  }
  return {
    ...ground,
    call,
    ask,
    readAnswer,
    some,
    observe,
    make: createMake(ask, some, mint, target.loopback),
    created: (kind) => client.created(kind, caller),
    readRecord: async (kind, record) => {
      const answer = await readAnswer(kind, record)
      if (answer.status === 404) return undefined
      if (!answer.succeeded) throw new StepFailed(`the ${kind} cannot be seen: ${answer.summary}`)
      return answer.data
    },
    as: (other) => createTools(client, target, mint, { caller: other, observe }),
  }
}

const hintAtOtherTeam =
  '; if the second team has other providers or pipelines, name them, such as with --other-sms-provider'

/** The second team may have other providers and pipelines. */
const asOtherTeam = (target: Target): Target => ({
  ...target,
  providers: { ...target.providers, ...target.ofOtherTeam.providers },
  places: { ...target.places, ...target.ofOtherTeam.places },
})

function createGround(target: Target, mint: Mint): Ground {
  const recipient = (kind: 'email' | 'phone') => {
    const [first] = target.loopback ? [mint[kind]()] : target.recipients[kind]
    if (first === undefined) throw new NotAllowed('missing', `needs a person who may be written to: --${kind}-to`)
    return first
  }
  return {
    mint,
    target,
    recipient: { email: () => recipient('email'), phone: () => recipient('phone') },
    provider: (channel, by) => {
      const { id, address } = target.providers[channel] ?? {}
      const named = by === undefined ? (id ?? address) : { id, address }[by]
      if (named === undefined)
        throw new NotAllowed('missing', `needs the ${by ?? 'id'} of a provider: --${channel}-provider`)
      return named
    },
  }
}

type Make = Readonly<ReturnType<typeof createMake>>

function createMake(ask: Tools['ask'], some: Bodies, mint: Mint, isLoopback: boolean) {
  const create = async <Id extends OperationId>(operation: Id, body: object): Promise<Answer<Id>['data']> => {
    const { data, summary } = await ask(operation, { body })
    if (idOf(data) === undefined) throw new StepFailed(`there is no id in the data of ${summary}`)
    return data
  }
  const contact = (fields?: object) => create('createContact', some.contact(fields))
  const deal = (fields?: object) => create('createDeal', some.deal(fields))
  return {
    contact,
    /** The conversation of a new contact: in one request, unless a field or a receiver that may be a contact already prevents it. */
    conversation: async (fields: object = {}) => {
      const { firstName, email, phone, ...others } = some.contact(fields)
      const taken = isLoopback ? /^(firstName|email|phone)$/ : /^firstName$/
      if (Object.keys(fields).some((field) => !taken.test(field)))
        return create('createConversation', { contactId: (await contact(fields))._id })
      const lastName = mint.surname(others.lastName)
      return create('createContactWithConversation', { firstName, lastName, email, phone })
    },
    company: (fields?: object) => create('createCompany', some.company(fields)),
    product: (fields?: object) => create('createProduct', some.product(fields)),
    deal,
    /** A quote from a new deal, unless the fields name one. */
    quote: async (fields?: { dealId?: string }) =>
      create('createQuote', some.quote(fields?.dealId ?? (await deal())._id, fields)),
    /** A template as in the answer to its create, with fewer fields than a read shows. */
    template: (type: 'sms' | 'email' | 'whatsapp', fields?: object) =>
      create('createTemplate', some.template[type](fields)),
  }
}

/** The records that requests are about. */
export interface Subjects {
  readonly record: (of: OwnedKind) => Promise<Subject>
  readonly id: (of: OwnedKind) => Promise<string>
  /** The parameter of a path that names the record. */
  readonly at: (of: OwnedKind) => Promise<{ path: Record<string, string> }>
  /** The e-mail address of the contact in the conversation. */
  readonly email: () => Promise<string>
}

/** New records of the caller, each created on first use. */
export function newSubjects({ make, mint, target }: Tools): Subjects {
  const email = mint.email()
  const makers: Readonly<Record<OwnedKind, () => Promise<Subject>>> = {
    ...make,
    conversation: () => make.conversation({ email }),
    template: () => make.template(plainType(target)),
  }
  const created = new Map<OwnedKind, Promise<Subject>>()
  const record: Subjects['record'] = (of) => {
    const known = created.get(of) ?? makers[of]()
    created.set(of, known)
    return known
  }
  return subjectsFrom(record, async () => {
    await record('conversation')
    return email
  })
}

/** Records that do not exist. */
export const unknownSubjects = ({ mint }: Pick<Tools, 'mint'>): Subjects =>
  subjectsFrom(
    async () => ({ _id: mint.unknownId() }),
    async () => mint.email(),
  )

/** Subjects from any source of records. */
export function subjectsFrom(record: Subjects['record'], email: Subjects['email']): Subjects {
  const id: Subjects['id'] = async (of) => (await record(of))._id
  return { record, id, email, at: async (of) => pathTo(of, await id(of)) }
}

type Query = NonNullable<Input['query']>

/** The pages of a list of templates, each as large as the server allows: a limit of 100 may be refused. */
export async function* templatePages(
  list: (query: Query) => Promise<Answer>,
  filters: Query,
): AsyncGenerator<readonly object[]> {
  let limit = 100
  for (let page = 1; page <= 1000; page++) {
    let answer = await list({ ...filters, page, limit })
    if (answer.status === 400 && page === 1) {
      limit = 10
      answer = await list({ ...filters, page, limit })
    }
    yield [answer.data].flat()
    if (answer.pagination.hasMore !== true) return
  }
}
