import { createHmac, randomBytes } from 'node:crypto'

/** Makes the API key of a new team. With a seed, a team of the same id gets the same key in every run. */
export type NewKey = (teamId: string) => string

export const keyMaker =
  (seed: number | undefined): NewKey =>
  (teamId) =>
    `sandbox_${seed === undefined ? randomBytes(18).toString('hex') : keyOf(teamId, seed)}`

const keyOf = (teamId: string, seed: number) =>
  createHmac('sha256', `crm-sandbox ${seed}`).update(teamId).digest('hex').slice(0, 36)
