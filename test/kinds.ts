/** The kinds of records that operations are about. */
export const kinds = [
  'contacts',
  'conversations',
  'messages',
  'templates',
  'companies',
  'products',
  'deals',
  'quotes',
] as const

export type Kind = (typeof kinds)[number]
