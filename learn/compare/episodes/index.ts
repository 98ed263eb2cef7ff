import { callerEpisodes } from './callers.ts'
import { contactEpisodes } from './contacts.ts'
import type { Episode } from './episode.ts'
import { keyEpisodes } from './keys.ts'
import { messageEpisodes } from './messages.ts'
import { recordEpisodes } from './records.ts'
import { templateEpisodes } from './templates.ts'

/** All episodes; what has more to try stands here more than once. */
export const episodes: readonly Episode[] = [
  ...contactEpisodes,
  ...recordEpisodes,
  ...templateEpisodes,
  ...messageEpisodes,
  ...keyEpisodes,
  ...callerEpisodes,
]
