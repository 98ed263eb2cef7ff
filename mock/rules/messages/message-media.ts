import type { ByChoice } from '../../../spec/assumptions.ts'
import type { Schemas } from '../../../spec/types.ts'
import { refuse } from '../../core/refusals.ts'
import type { Turn } from '../../core/turn.ts'

interface MediaFields {
  readonly mediaUrl?: string | null
  readonly attachments?: readonly Readonly<Record<string, unknown>>[]
}

/**
 * promise message.attachmentsAreTaken: an attachment with all of its fields is accepted. The specification does not say
 * which of them are required. No URL is ever opened.
 */
export function checkMedia({ mediaUrl, attachments = [] }: MediaFields, { assumed }: Turn): void {
  const complaint =
    typeof mediaUrl === 'string' && !isHttpsUrl(mediaUrl)
      ? 'mediaUrl must be an HTTPS address'
      : findIncompleteAttachment(attachments)
  if (complaint !== undefined) attachmentFields[assumed.attachmentFields](complaint)
}

const attachmentFields: ByChoice<'attachmentFields', (complaint: string) => void> = {
  accepted: () => undefined,
  refused: refuse,
}

function findIncompleteAttachment(attachments: NonNullable<MediaFields['attachments']>): string | undefined {
  for (const [at, attachment] of attachments.entries()) {
    const missing = fieldsOfAttachment.find((field) => attachment[field] === undefined)
    if (missing !== undefined) return `attachments[${at}].${missing} is required`
    if (!isHttpsUrl(attachment.mediaUrl)) return `attachments[${at}].mediaUrl must be an HTTPS address`
  }
  return undefined
}

const fieldsOfAttachment = [
  'fileName',
  'fileSize',
  'mimeType',
  'mediaUrl',
  'mediaType',
] as const satisfies (keyof Schemas['Attachment'])[]

function isHttpsUrl(url: unknown): boolean {
  return typeof url === 'string' && URL.canParse(url) && new URL(url).protocol === 'https:'
}
