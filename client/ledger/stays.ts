import type { Stays } from './ledger.ts'

const words: Readonly<Record<Stays, readonly [one: string, many: string]>> = {
  scheduled: ['bulk send that is scheduled', 'bulk sends that are scheduled'],
  queued: [
    'bulk send that was queued, of which no contact was found: it may make one later',
    'bulk sends that were queued, of which no contacts were found: they may make some later',
  ],
  toPeople: [
    'message to people named with --email-to and --phone-to, with their contacts and conversations',
    'messages to people named with --email-to and --phone-to, with their contacts and conversations',
  ],
}

/** What no operation of the service can take back, such as `2 bulk sends that are scheduled`. */
export function describeStays(stays: readonly Stays[]): string[] {
  return Object.entries(words).flatMap(([kind, [one, many]]) => {
    const count = stays.filter((stay) => stay === kind).length
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]
  })
}

/** The last line of a run that left nothing behind by mistake. */
export const allDeleted = (stays: readonly unknown[]) =>
  stays.length === 0 ? 'Everything that the run made is deleted.' : 'Everything that can be deleted is deleted.'
