export { type ApiKind as Kind, apiKinds as kinds } from '../fixtures/records.ts'
