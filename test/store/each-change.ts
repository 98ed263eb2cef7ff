import type { Store } from '../../mock/store/port.ts'
import { contact, emptyTeams } from './harness.ts'

type StoreChange = (store: Store) => Promise<unknown>

/** Long enough that the log is folded. */
const long = 'x'.repeat(1024 * 1024)

/** Changes of every kind, in an order in which they can happen. */
export const eachChange: readonly StoreChange[] = [
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
