import type { AssumptionName } from '../../spec/assumptions.ts'
import type { WrittenChoices } from '../../spec/choices.ts'

/** What no client can tell, or not in the time of a test; the reason is that of the probe. */
export const beyond: Readonly<Partial<Record<AssumptionName, RegExp>>> = {
  keyRetention: /more than a day/,
  rateLimit: /would have to be reached/,
  bulkRecipientLimit: /would have to be messaged/,
  // A sandbox in memory answers one request before it reads the next.
  repeatedKeyInFlight: /may not have met/,
  // Only near midnight do the zones differ in the date.
  groupDateZone: /at this hour/,
  // The team is in the time zone UTC, as far as anybody can see.
  scheduleZone: /may be the time zone of the team/,
}

/** Choices that look like no other, but only to who waits for ever, or who is the platform. */
export const unseen: WrittenChoices[] = [
  { whatsappApproval: 'byControl' },
  { whatsappApproval: 'never' },
  { bulkDelivery: 'onRelease' },
]
