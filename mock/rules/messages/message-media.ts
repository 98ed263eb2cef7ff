import type { ByChoice } from '../../../spec/assumptions.ts'
import type { Schemas } from '../../../spec/types.ts'
import { refuse } from '../../core/refusals.ts'
import type { Turn } from '../../core/turn.ts'

interface Media {
  readonly mediaUrl?: string | null
  readonly attachments?: readonly Readonly<Record<string, unknown>>[]
}

const attachmentFields = [
  'fileName',
  'fileSize',
  'mimeType',
  'mediaUrl',
  'mediaType',
] as const satisfies (keyof Schemas['Attachment'])[]

/** promise message.attachmentsAreTaken: what they must hold is not documented. No address is ever opened. */
export function checkMedia({ mediaUrl, attachments = [] }: Media, { assumed }: Turn): void {
  const complaint =
    typeof mediaUrl === 'string' && !isHttps(mediaUrl)
      ? 'mediaUrl must be an HTTPS address'
      : complaintAbout(attachments)
  if (complaint !== undefined) incomplete[assumed.attachmentFields](complaint)
}

const incomplete: ByChoice<'attachmentFields', (complaint: string) => void> = {
  accepted: () => undefined,
  refused: refuse,
}

function complaintAbout(attachments: NonNullable<Media['attachments']>): string | undefined {
  for (const [at, attachment] of attachments.entries()) {
    const missing = attachmentFields.find((field) => attachment[field] === undefined)
    if (missing !== undefined) return `attachments[${at}].${missing} is required`
    if (!isHttps(attachment.mediaUrl)) return `attachments[${at}].mediaUrl must be an HTTPS address`
  }
  return undefined
}

function isHttps(address: unknown): boolean {
  return typeof address === 'string' && URL.canParse(address) && new URL(address).protocol === 'https:'
}
