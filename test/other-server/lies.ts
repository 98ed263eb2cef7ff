import { aboutCallers } from './lies/about-callers.ts'
import { aboutDeletes } from './lies/about-deletes.ts'
import { aboutLikeness } from './lies/about-likeness.ts'
import { aboutMessages } from './lies/about-messages.ts'
import { aboutNeighbours } from './lies/about-neighbours.ts'
import { aboutOthers } from './lies/about-others.ts'
import { aboutPeople } from './lies/about-people.ts'
import { aboutRecords } from './lies/about-records.ts'
import { aboutTeams } from './lies/about-teams.ts'

/** Servers that say that they did well, and did not. */
export const liars = {
  ...aboutTeams,
  ...aboutPeople,
  ...aboutMessages,
  ...aboutNeighbours,
  ...aboutRecords,
  ...aboutOthers,
  ...aboutCallers,
  ...aboutLikeness,
  ...aboutDeletes,
}
