import type { Store } from '../../mock/store/port.ts'
import { contact, emptyTeams } from './harness.ts'

/** One change of a store, of each sort that there is. */
export type Deed = (store: Store) => Promise<unknown>

/** Long enough for the log to be folded. */
const long = 'x'.repeat(1024 * 1024)

export const deeds: readonly Deed[] = [
  (store) =>
    store.turn('acme', ({ records: { contacts } }) => contacts.insert(contact('ada', { email: 'ada@example.com' }))),
  (store) =>
    store.turn('acme', async ({ records: { contacts } }) => {
      await contacts.insert(contact('grace'))
      await contacts.replace(contact('ada', { email: 'countess@example.com' }))
    }),
  (store) => store.addTeam({ _id: 'initech', name: 'Initech', apiKeys: ['new-key'], contacts: [contact('bill')] }),
  (store) =>
    store.turn('initech', ({ records: { contacts } }) => contacts.insert(contact('peter', { lastName: long }))),
  (store) => store.turn('acme', ({ records: { contacts } }) => contacts.remove('ada')),
  (store) => store.turn('acme', ({ records: { contacts } }) => contacts.insert(contact('ada'))),
  (store) => store.removeTeam('initech'),
  (store) => store.become({ teams: [...emptyTeams.teams, { _id: 'hooli', name: 'Hooli', apiKeys: ['hooli-key'] }] }),
  (store) =>
    store.turn('acme', ({ records: { contacts } }) => contacts.insert(contact('ada', { phone: '+14155550123' }))),
]
