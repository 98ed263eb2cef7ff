import { type Kind as AnyKind, kinds as all } from '../fixtures/records.ts'

const ofNoOperation = ['users', 'providers', 'bulkSends', 'answers', 'deleted'] as const satisfies readonly AnyKind[]

export type Kind = Exclude<AnyKind, (typeof ofNoOperation)[number]>

/** The kinds of records that operations are about. */
export const kinds = all.filter((kind): kind is Kind => !ofNoOperation.some((other) => other === kind))
