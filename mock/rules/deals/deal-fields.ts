import type { ByChoice } from '../../../spec/assumptions.ts'
import { isIsoDate } from '../../../spec/forms.ts'
import type { Schemas } from '../../../spec/types.ts'
import { refuse } from '../../core/refusals.ts'
import type { Transaction } from '../../core/transaction.ts'
import { checkNotNegative } from '../record-fields.ts'
import { findMissingReference, lookupIn } from '../references.ts'

type DealFields = Schemas['DealFields']

/** The specification does not say whether the forms of a deal's fields are checked, nor whether its ids must exist. */
export async function checkDealFields(fields: DealFields, tx: Transaction): Promise<void> {
  const { amount, currency, closeDate } = fields
  checkNotNegative({ amount }, tx)
  if (currency !== undefined && !isCurrencyCode(currency)) currencyForm[tx.assumed.currencyForm]()
  if (closeDate !== undefined && !isIsoDate(closeDate)) closeDateForm[tx.assumed.closeDateForm]()
  await checkDealReferences(fields, tx)
}

const isCurrencyCode = (text: string) => /^[A-Z]{3}$/.test(text)

const currencyForm: ByChoice<'currencyForm', () => void> = {
  checked: () =>
    refuse('currency must be an ISO 4217 code, such as EUR', { assumption: 'currencyForm', field: 'currency' }),
  anyString: () => undefined,
}

const closeDateForm: ByChoice<'closeDateForm', () => void> = {
  checked: () =>
    refuse('closeDate must be an ISO date, such as 2026-06-30', { assumption: 'closeDateForm', field: 'closeDate' }),
  anyString: () => undefined,
}

async function checkDealReferences(fields: DealFields, { team, assumed }: Transaction): Promise<void> {
  const { pipeline, stage, contactId, contacts = [], companyId, company, owner } = fields
  const { pipelines = [] } = team.onFile
  const field = await findMissingReference({
    pipeline: [lookupIn(pipelines.map(({ _id }) => _id)), [pipeline]],
    // A stage of any pipeline is accepted.
    stage: [lookupIn(pipelines.flatMap(({ stages }) => stages)), [stage]],
    contactId: [team.contacts, [contactId]],
    contacts: [team.contacts, contacts],
    companyId: [team.companies, [companyId]],
    company: [team.companies, [company]],
    owner: [team.users, [owner]],
  })
  if (field !== undefined) dealReferences[assumed.dealReferences](field)
}

const dealReferences: ByChoice<'dealReferences', (field: string) => void> = {
  accepted: () => undefined,
  refused: (field) => refuse(`${field} names nothing that this team has`, { assumption: 'dealReferences', field }),
}
