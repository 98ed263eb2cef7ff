import { fieldsOf } from '../../client/answer.ts'
import type { Tools } from '../../client/tools.ts'
import type { OperationId } from '../../spec/types.ts'
import { BrokenPromise } from '../judge/outcome.ts'
import type { Given } from './keeps.ts'

const files = 'https://files.example.com/'

/** A picture: the one that the operator named, or else one that nobody can fetch. */
export const pictureUrl = ({ target }: Pick<Tools, 'target'>): string => target.mediaUrl ?? `${files}plan.png`

const plan = { fileName: 'plan.pdf', mimeType: 'application/pdf', mediaUrl: `${files}plan.pdf` }
const film = { fileName: 'plan.mp4', mimeType: 'video/mp4', mediaUrl: `${files}plan.mp4` }
const sound = { fileName: 'plan.mp3', mimeType: 'audio/mpeg', mediaUrl: `${files}plan.mp3` }

/** An attachment of a media type, with a file of that type. */
export function attachmentOf<Type extends string | number>(mediaType: Type, tools: Tools) {
  const picture = { fileName: 'plan.png', mimeType: 'image/png', mediaUrl: pictureUrl(tools) }
  const others = { image: picture, video: film, audio: sound }
  const file = mediaType in others ? others[mediaType as keyof typeof others] : plan
  return { fileSize: '12 KB', ...file, mediaType }
}

/** An attachment that the service can fetch, if the operator named one. */
export const anyAttachment = (tools: Tools) =>
  attachmentOf<'file' | 'image'>(tools.target.mediaUrl === undefined ? 'file' : 'image', tools)

/** Accepts a message with all its media, or else with one kind at a time, since a server may take no more. */
export async function acceptsMedia({ accepts }: Given, operation: OperationId, body: object): Promise<void> {
  try {
    await accepts(operation, { body })
  } catch (error) {
    const { attachments, mediaUrl, mediaType, ...others } = fieldsOf(body)
    if (!(error instanceof BrokenPromise) || attachments === undefined) throw error
    await accepts(operation, { body: { ...others, mediaUrl, mediaType } })
    await accepts(operation, { body: { ...others, attachments } })
  }
}

/** Optional fields of messages. */
export const extrasFor = (tools: Tools) => ({
  mediaUrl: pictureUrl(tools),
  mediaType: 'image',
  source: 'Contract',
  attachments: [anyAttachment(tools)],
})
