import type { Tools } from '../../client/tools.ts'

const names = { firstName: 'Ada', lastName: 'Lovelace' }

export const create = ({ call }: Tools, fields: object) => call('createContact', { body: { ...names, ...fields } })

/** Creates contacts without an address; their source or name is what finds them again. */
export const withoutAddress = (tools: Tools, fields: object = {}) => [
  () => create(tools, { source: tools.mint.name('contract'), ...fields }),
  () => create(tools, { lastName: tools.mint.name('Lovelace'), ...fields }),
  () => create(tools, { lastName: inLetters(tools.mint.name('Lovelace')), ...fields }),
]

/** For a server that takes only letters in a name; such a contact is known by its id alone. */
const inLetters = (text: string) =>
  text.replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit))).replace(/[^\p{L} -]/gu, '')

/** A contact with an e-mail address; if that is refused, with a phone number; if that is too, without an address. */
export async function createReachable(tools: Tools, fields: object) {
  const { mint } = tools
  const byEmail = await create(tools, { email: mint.email(), ...fields })
  if (byEmail.succeeded) return byEmail
  let last = await create(tools, { phone: mint.phone(), ...fields })
  for (const attempt of withoutAddress(tools, fields)) if (!last.succeeded) last = await attempt()
  return last
}

export async function somebody(tools: Tools): Promise<string> {
  return (await createReachable(tools, {})).data._id
}
