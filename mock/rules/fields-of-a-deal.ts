import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import type { Schemas } from '../../spec/types.ts'
import { refuse } from '../replies.ts'
import type { Team } from '../team.ts'
import { checkNegatives } from './negative-numbers.ts'
import { fieldThatLeadsNowhere } from './references.ts'

type Fields = Schemas['DealFields']

/** What is not documented of a deal's fields: whether they are held to their forms, and to what is there. */
export async function checkDealFields(fields: Fields, team: Team, assumed: Assumed): Promise<void> {
  const { amount, currency, closeDate } = fields
  checkNegatives({ amount }, assumed)
  if (currency !== undefined && !isCurrencyCode(currency)) currencyForm[assumed.currencyForm]()
  if (closeDate !== undefined && !isIsoDate(closeDate)) closeDateForm[assumed.closeDateForm]()
  await checkReferences(fields, team, assumed)
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

async function checkReferences(fields: Fields, team: Team, assumed: Assumed): Promise<void> {
  const { pipeline, stage, contactId, contacts = [], companyId, company, owner } = fields
  const field = await fieldThatLeadsNowhere({
    pipeline: [pipelinesOf(team), [pipeline]],
    stage: [stagesOf(team), [stage]],
    contactId: [team.contacts, [contactId]],
    contacts: [team.contacts, contacts],
    companyId: [team.companies, [companyId]],
    company: [team.companies, [company]],
    owner: [team.users, [owner]],
  })
  if (field !== undefined) dealReferences[assumed.dealReferences](field)
}

const pipelinesOf = ({ onFile: { pipelines = [] } }: Team) => placeOf(pipelines.map(({ _id }) => _id))

/** A stage is there when any pipeline has it. */
const stagesOf = ({ onFile: { pipelines = [] } }: Team) => placeOf(pipelines.flatMap(({ stages }) => stages))

const placeOf = (ids: readonly string[]) => ({ get: async (id: string) => ids.find((known) => known === id) })

const dealReferences: ByChoice<'dealReferences', (field: string) => void> = {
  accepted: () => undefined,
  refused: (field) => refuse(`${field} names nothing that this team has`),
}
