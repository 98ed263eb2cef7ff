import type { ByChoice } from '../../../spec/assumptions.ts'
import type { Schemas } from '../../../spec/types.ts'
import { refuse } from '../../core/refusals.ts'
import type { Turn } from '../../core/turn.ts'
import { checkNegatives } from '../negative-numbers.ts'
import { fieldThatLeadsNowhere } from '../references.ts'

type Fields = Schemas['DealFields']

/** What is not documented of a deal's fields: whether they are held to their forms, and to what is there. */
export async function checkDealFields(fields: Fields, turn: Turn): Promise<void> {
  const { amount, currency, closeDate } = fields
  checkNegatives({ amount }, turn)
  if (currency !== undefined && !isCurrencyCode(currency)) currencyForm[turn.assumed.currencyForm]()
  if (closeDate !== undefined && !isIsoDate(closeDate)) closeDateForm[turn.assumed.closeDateForm]()
  await checkReferences(fields, turn)
}

const isCurrencyCode = (text: string) => /^[A-Z]{3}$/.test(text)

const currencyForm: ByChoice<'currencyForm', () => void> = {
  checked: () => refuse('currency must be an ISO 4217 code, such as EUR'),
  anyString: () => undefined,
}

/** With or without a time of day. That February has no 30th day, Date does not mind: so the day is asked back. */
function isIsoDate(text: string): boolean {
  const [, day = ''] = isoDate.exec(text) ?? []
  const midnight = new Date(`${day}T00:00Z`)
  return !Number.isNaN(midnight.valueOf()) && midnight.toISOString().startsWith(day) && !Number.isNaN(Date.parse(text))
}

const isoDate = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/

const closeDateForm: ByChoice<'closeDateForm', () => void> = {
  checked: () => refuse('closeDate must be an ISO date, such as 2026-06-30'),
  anyString: () => undefined,
}

async function checkReferences(fields: Fields, turn: Turn): Promise<void> {
  const { pipeline, stage, contactId, contacts = [], companyId, company, owner } = fields
  const field = await fieldThatLeadsNowhere({
    pipeline: [pipelinesOf(turn), [pipeline]],
    stage: [stagesOf(turn), [stage]],
    contactId: [turn.team.contacts, [contactId]],
    contacts: [turn.team.contacts, contacts],
    companyId: [turn.team.companies, [companyId]],
    company: [turn.team.companies, [company]],
    owner: [turn.team.users, [owner]],
  })
  if (field !== undefined) dealReferences[turn.assumed.dealReferences](field)
}

const pipelinesOf = ({
  team: {
    onFile: { pipelines = [] },
  },
}: Turn) => placeOf(pipelines.map(({ _id }) => _id))

/** A stage is there when any pipeline has it. */
const stagesOf = ({
  team: {
    onFile: { pipelines = [] },
  },
}: Turn) => placeOf(pipelines.flatMap(({ stages }) => stages))

const placeOf = (ids: readonly string[]) => ({ get: async (id: string) => ids.find((known) => known === id) })

const dealReferences: ByChoice<'dealReferences', (field: string) => void> = {
  accepted: () => undefined,
  refused: (field) => refuse(`${field} names nothing that this team has`),
}
