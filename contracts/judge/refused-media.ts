import { TooBusy } from '../../client/errors.ts'
import type { Tools } from '../../client/tools.ts'
import { cannotTell, isOnly } from './attempts.ts'
import type { Material } from './material.ts'
import { somebody } from './reachable-contact.ts'

export const mediaUrl: Material = {
  isIn: (request) => /"https:\/\/[\w.]*example\.com\//.test(request),
  isRefused: async (tools) => (await refusesMedia(tools)) || (await refusesPictures(tools)),
  words: () => `this server refuses files that it cannot fetch; name a picture with --media-url`,
}

/** There is no such file. */
const nowhere = 'https://files.example.com/engine.png'

async function refusesMedia(tools: Tools): Promise<boolean> {
  const { call, some } = tools
  try {
    const contactId = await somebody(tools)
    const send = (fields: object) => call('sendLiveMessage', { body: some.chat({ contactId, ...fields }) })
    return await isOnly(await send({ mediaUrl: nowhere, mediaType: 'image' }), [() => send({})])
  } catch (error) {
    if (error instanceof TooBusy) throw error
    return cannotTell(error)
  }
}

async function refusesPictures({ call, mint, some }: Tools): Promise<boolean> {
  const company = (fields: object) => call('createCompany', { body: { name: mint.name('Engines'), ...fields } })
  const product = (fields: object) => call('createProduct', { body: some.product(fields) })
  return (
    (await isOnly(await product({ imageUrl: nowhere }), [() => product({})])) ||
    isOnly(await company({ logoUrl: nowhere }), [() => company({})])
  )
}
