import {
  queryOf,
  type RequestFilter,
  type RequestsControl,
  type SeenRequest,
  type VerifyFilter,
} from '../../control/requests.ts'
import type { ControlId } from '../../control/types.ts'
import { fits, type Wanted } from '../journal/filter.ts'
import { Follower } from '../journal/follower.ts'
import type { Noted } from '../journal/noted.ts'
import { readFilter, readWithin } from '../journal/read-filter.ts'
import { showRequest } from '../journal/seen.ts'
import { readQuery } from './check.ts'
import type { ControlContext } from './context.ts'
import { checkMatch } from './match.ts'
import { NotFound, NotSo, refuse } from './refusals.ts'

const mostFollowers = 50

export function requestsIn({ journal, secrets, store }: ControlContext): RequestsControl {
  const show = (noted: Noted) => showRequest(noted, { secrets })
  const matching = (wanted: Wanted) => [...journal].filter((noted) => fits(noted, wanted))

  return {
    async find(filter = {}) {
      const query = checked('findRequests', filter)
      return matching(await read(query))
        .slice(-(query.last ?? 0))
        .map(show)
    },

    async get(requestId) {
      const noted = [...journal].findLast(({ id }) => id === requestId)
      if (!noted) throw new NotFound()
      return show(noted)
    },

    async count(filter = {}) {
      return matching(await read(checked('countRequests', filter))).length
    },

    async wait(filter = {}) {
      const query = checked('waitForRequest', filter)
      const [wanted, within] = [await read(query), readWithin(query.within)]
      const [first] = matching(wanted)
      const noted = first ?? (await comes(wanted, within))
      if (!noted)
        throw new NotSo(journal.isClosed ? 'The sandbox was closed' : `No such request came within ${within} ms`)
      return show(noted)
    },

    async verify(filter = {}) {
      const query = checked('verifyRequests', filter)
      const { length: count } = matching(await read(query))
      const expected = expectationOf(query)
      if (count < expected.least || count > expected.most) throw new NotSo(`${inWords(count)}, not ${expected.words}`)
      return count
    },

    async clear() {
      journal.clear()
    },

    follow(filter = {}) {
      const wanted = readFilter(checked('followRequests', filter))
      if (journal.waiting >= mostFollowers) refuse(`${mostFollowers} others follow already; end one of them first`)
      return follow(new Follower(journal), wanted, show, () => checkTeam(wanted))
    },
  }

  async function read(query: RequestFilter): Promise<Wanted> {
    const wanted = readFilter(query)
    await checkTeam(wanted)
    return wanted
  }

  /** The requests of a team that was deleted are kept for a while. */
  async function checkTeam({ team }: Wanted): Promise<void> {
    if (team !== undefined && ![...journal].some((noted) => noted.team === team)) await checkMatch({ team }, store)
  }

  async function comes(wanted: Wanted, within: number): Promise<Noted | undefined> {
    const follower = new Follower(journal)
    const timer = setTimeout(() => void follower.return(), within)
    try {
      for await (const came of follower) if ('noted' in came && fits(came.noted, wanted)) return came.noted
      return undefined
    } finally {
      clearTimeout(timer)
    }
  }
}

/** The filter as the document has it. */
const checked = <Filter extends RequestFilter>(id: ControlId, filter: Filter) =>
  readQuery(id, queryOf(filter)) as unknown as Filter

function expectationOf({ times, atLeast, atMost }: VerifyFilter) {
  if (times !== undefined) return { least: times, most: times, words: `exactly ${times}` }
  const least = atLeast ?? (atMost === undefined ? 1 : 0)
  const words = [least > 0 ? `at least ${least}` : '', atMost === undefined ? '' : `at most ${atMost}`]
  return { least, most: atMost ?? Infinity, words: words.filter((word) => word !== '').join(' and ') }
}

const inWords = (count: number) => (count === 1 ? 'There was 1 such request' : `There were ${count} such requests`)

/** No generator: it could not be ended while it waits for the next request. */
function follow(
  follower: Follower,
  wanted: Wanted,
  show: (noted: Noted) => SeenRequest,
  check: () => Promise<void>,
): AsyncIterableIterator<SeenRequest> {
  let missed = 0
  let checked: Promise<void> | undefined
  return {
    async next() {
      if (wanted.team !== undefined) await (checked ??= check())
      for (;;) {
        const { value: came } = await follower.next()
        if (!came) return { done: true, value: undefined }
        if ('missed' in came) missed += came.missed
        else if (fits(came.noted, wanted)) {
          const seen = { ...show(came.noted), ...(missed > 0 ? { missed } : {}) }
          missed = 0
          return { done: false, value: seen }
        }
      }
    },
    async return() {
      await follower.return()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
