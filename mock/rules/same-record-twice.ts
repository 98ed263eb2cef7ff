import type { ByChoice } from '../../spec/assumptions.ts'
import { refuse } from '../core/refusals.ts'
import type { Turn } from '../core/turn.ts'

interface WithSku {
  readonly sku?: string
}

interface WithDomain {
  readonly domain?: string
}

/** The specification does not say that an sku is unique. A product that keeps its own is no second one. */
export async function checkSku({ sku }: WithSku, { team, assumed }: Turn, product?: WithSku): Promise<void> {
  if (sku !== undefined && sku !== product?.sku && (await team.products.count('sku', [sku])) > 0)
    sameRecordTwice[assumed.sameRecordTwice]('sku', 'product')
}

/** Nor does it say so of the domain of a company. */
export async function checkDomain(
  { domain }: WithDomain,
  { team, assumed }: Turn,
  company?: WithDomain,
): Promise<void> {
  if (domain !== undefined && domain !== company?.domain && (await team.companies.count('domain', [domain])) > 0)
    sameRecordTwice[assumed.sameRecordTwice]('domain', 'company')
}

const sameRecordTwice: ByChoice<'sameRecordTwice', (field: string, kind: string) => void> = {
  accepted: () => undefined,
  refused: (field, kind) =>
    refuse(`${field} is already that of a ${kind} of this team`, { assumption: 'sameRecordTwice', field }),
}
