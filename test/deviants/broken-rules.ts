import type { PromiseId } from '../../spec/promises.ts'
import type { Break } from './broken-copy.ts'
import { contacts } from './rules/contacts.ts'

/** For each promise one rule of the mock, broken so that the promise does not hold. */
export const brokenRules = { ...contacts } satisfies Partial<Record<PromiseId, Break>>
