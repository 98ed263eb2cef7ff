import type { Kept } from '../store/port.ts'
import type { Team } from './team.ts'

const mebibyte = 1024 * 1024

/** How many characters of a kind are kept: by one team, by all together, and by each team whatever the others keep. */
const most = { oneTeam: 32 * mebibyte, allTeams: 256 * mebibyte, always: mebibyte / 4 }

/** Limits the records about earlier requests: removes the oldest ones while they are too many or too long. */
export async function keepLatest(records: Team['answers'] | Team['deleted'], count: number): Promise<void> {
  for (let kept = await records.kept(); kept.records > 1 && (await isTooMuch(kept)); kept = await records.kept()) {
    const oldest = await records.first('all', 'all')
    if (oldest) await records.remove(oldest._id)
  }

  async function isTooMuch({ records: number, characters }: Kept): Promise<boolean> {
    if (number > count || characters > most.oneTeam) return true
    return characters > most.always && (await records.charactersOfAllTeams()) > most.allTeams
  }
}
