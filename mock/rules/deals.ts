import { isIsoDate } from '../../spec/forms.ts'
import type { Schemas } from '../../spec/types.ts'
import type { Transaction } from '../core/transaction.ts'
import { checkNotNegative, findMissingReference } from './record-fields.ts'
import { refuseIf } from './refuse.ts'

type DealFields = Schemas['DealFields']

/** The specification does not say whether the forms of a deal's fields are checked, nor whether its ids must exist. */
export async function checkDealFields(fields: DealFields, tx: Transaction): Promise<void> {
  const { amount, currency, closeDate } = fields
  const { assumed } = tx
  checkNotNegative({ amount }, tx)
  if (currency !== undefined && !currencies.has(currency))
    refuseIf(assumed, 'currencyForm', 'checked', 'currency must be an ISO 4217 code, such as EUR', 'currency')
  if (closeDate !== undefined && !isIsoDate(closeDate))
    refuseIf(assumed, 'closeDateForm', 'checked', 'closeDate must be an ISO date, such as 2026-06-30', 'closeDate')
  await checkDealReferences(fields, tx)
}

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

async function checkDealReferences(fields: DealFields, { team, assumed }: Transaction): Promise<void> {
  const { pipeline, stage, contactId, contacts, companyId, company, owner } = fields
  const { pipelines = [] } = team.onFile
  const field = await findMissingReference([
    ['pipeline', pipeline, new Set(pipelines.map(({ _id }) => _id))],
    // A stage of any pipeline is accepted.
    ['stage', stage, new Set(pipelines.flatMap(({ stages }) => stages))],
    ['contactId', contactId, team.contacts],
    ['contacts', contacts, team.contacts],
    ['companyId', companyId, team.companies],
    ['company', company, team.companies],
    ['owner', owner, team.users],
  ])
  if (field === undefined) return
  refuseIf(assumed, 'dealReferences', 'refused', `${field} names nothing that this team has`, field)
}
