import { assumption, type AssumptionName, assumptionNames } from '../../spec/assumptions.ts'

/** The choices that the register itself marks as beyond any client, with the reason in its words. */
export const beyondClients: readonly (readonly [AssumptionName, choice: string])[] = assumptionNames.flatMap((name) => {
  const { probe, choices, beyondClients = {} } = assumption(name)
  const isNever = typeof probe === 'object' && 'never' in probe
  const marked = Object.keys(choices).filter((choice) => isNever || beyondClients[choice] !== undefined)
  return marked.map((choice) => [name, choice] as const)
})

export const isBeyondClients = (name: AssumptionName, choice: string) =>
  beyondClients.some(([marked, beyond]) => marked === name && beyond === choice)

/** Entries that a default sandbox does not show, whatever its choice; its team is in the time zone UTC. */
export const undetermined: Readonly<Partial<Record<AssumptionName, RegExp>>> = {
  keyRetention: /more than a day/,
  rateLimit: /would have to be reached/,
  bulkRecipientLimit: /would have to be messaged/,
  // Only near midnight do the zones differ in the date.
  groupDateZone: /at this hour/,
  scheduleZone: /may be the time zone of the team/,
}
