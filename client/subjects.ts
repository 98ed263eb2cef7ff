import { plainType } from './bodies.ts'
import { type Kind, pathTo, type Subject } from './kinds.ts'
import type { Tools } from './tools.ts'

/** The records that requests are about. */
export interface Subjects {
  readonly record: (of: SubjectKind) => Promise<Subject>
  readonly id: (of: SubjectKind) => Promise<string>
  /** The parameter of a path that names the record. */
  readonly at: (of: SubjectKind) => Promise<{ path: Record<string, string> }>
  /** The e-mail address of the contact in the conversation. */
  readonly email: () => Promise<string>
}

type SubjectKind = Kind | 'conversation'

/** Records of the caller, each made when it is first asked for. */
export function newSubjects({ make, mint, target }: Tools): Subjects {
  const email = mint.email()
  const makers: Readonly<Record<SubjectKind, () => Promise<Subject>>> = {
    contact: () => make.contact(),
    conversation: () => make.conversation({ email }),
    company: () => make.company(),
    product: () => make.product(),
    deal: () => make.deal(),
    // From a deal of its own, which may have one quote.
    quote: () => make.quote(),
    template: () => make.template(plainType(target)),
  }
  const made = new Map<SubjectKind, Promise<Subject>>()
  const record: Subjects['record'] = (of) => {
    const known = made.get(of) ?? makers[of]()
    made.set(of, known)
    return known
  }
  return subjectsFrom(record, async () => {
    await record('conversation')
    return email
  })
}

/** Records that do not exist. */
export function unknownSubjects({ mint }: Tools): Subjects {
  return subjectsFrom(
    async () => ({ _id: mint.unknownId() }),
    async () => mint.email(),
  )
}

/** What requests need of records that are made in some way. */
export function subjectsFrom(record: Subjects['record'], email: Subjects['email']): Subjects {
  const id: Subjects['id'] = async (of) => (await record(of))._id
  return { record, id, email, at: async (of) => pathTo(of, await id(of)) }
}
