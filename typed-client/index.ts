export { type Answered, type ClientOptions, createClient, type CrmClient, type Input } from './client.ts'
export { CrmError } from './crm-error.ts'
export type { Team } from './team.ts'
