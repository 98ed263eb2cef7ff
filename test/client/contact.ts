/** A contact as the service answers with it. */
export const contact = {
  _id: 'c1',
  firstName: 'Ada',
  lastName: 'Lovelace',
  teamId: 'acme',
  createdAt: '2026-03-01T09:30:00.000Z',
  updatedAt: '2026-03-01T09:30:00.000Z',
}

/** An answer to `updateContact` that is as documented. */
export const ok = { success: true, message: 'Contact saved', data: contact }

/** An input of `updateContact`. */
export const ada = { path: { contactId: 'c1' }, body: { firstName: 'Ada' } }
