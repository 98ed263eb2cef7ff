import { bodyOf } from '../../control/options.ts'
import type { AssumptionsControl, SeenAssumption } from '../../control/assumptions.ts'
import { assumption, type AssumptionName, assumptionNames, type Meaning } from '../../spec/assumptions.ts'
import { readProfile, UnreadableChoice, type WrittenChoices, writtenChoice } from '../../spec/choices.ts'
import { checkBody, readQuery } from './check.ts'
import type { ControlContext } from './context.ts'
import { NotFound, refuse } from './refusals.ts'

export function assumptionsIn({ choices, journal, store }: ControlContext): AssumptionsControl {
  return {
    async list(of = {}) {
      const teamId = await teamIn('listAssumptions', of)
      return assumptionNames.map((name) => show(name, teamId))
    },

    async get(name, of = {}) {
      const teamId = await teamIn('getAssumption', of)
      if (!assumptionNames.includes(name)) throw new NotFound()
      return show(name, teamId)
    },

    async set(wanted, of = {}) {
      const body = bodyOf({ choices: wanted }, of)
      checkBody('setAssumptions', body)
      const read = readChoices(wanted)
      const { teamId } = body
      if (teamId === undefined) {
        checkForAll(read)
        choices.switchForAll(read)
      } else {
        await checkTeam(teamId)
        checkForTeam(read)
        choices.switchFor(teamId, read)
      }
      return namesIn(read).map((name) => show(name, teamId))
    },

    async reset(of = {}) {
      const teamId = await teamIn('resetAssumptions', of)
      if (teamId === undefined) choices.restart()
      else choices.forget(teamId)
    },
  }

  function show(name: AssumptionName, teamId: string | undefined): SeenAssumption {
    const { section, question, operations, certainty, assumed, choices: all } = assumption(name)
    return {
      name,
      question,
      choice: writtenChoice(choices.of(teamId).chosen[name]),
      from: choices.originOf(name, teamId),
      relied: journal.timesRelied(name),
      assumed,
      certainty,
      section,
      operations: operations === 'all' ? 'all' : [...operations],
      choices: Object.entries(all).map(showChoice),
    }
  }

  async function teamIn(
    id: 'listAssumptions' | 'getAssumption' | 'resetAssumptions',
    of: { readonly teamId?: string },
  ) {
    const { teamId } = readQuery(id, of)
    if (teamId !== undefined) await checkTeam(teamId)
    return teamId
  }

  async function checkTeam(teamId: string): Promise<void> {
    if (!(await store.team(teamId))) throw new NotFound()
  }
}

function showChoice([choice, meaning]: [string, Meaning]): SeenAssumption['choices'][number] {
  return typeof meaning === 'string'
    ? { choice, words: meaning }
    : { choice, words: meaning.words, numberOf: meaning.amount.unit }
}

function readChoices(wanted: object): WrittenChoices {
  try {
    return readProfile(wanted)
  } catch (error) {
    if (error instanceof UnreadableChoice) refuse(error.message.replace(/\.$/, ''))
    throw error
  }
}

const namesIn = (choices: WrittenChoices) => Object.keys(choices) as AssumptionName[]

/** How much a server reads is fixed when it starts. */
function checkForAll({ bodyLimit }: WrittenChoices): void {
  if (bodyLimit !== undefined)
    refuse(
      'bodyLimit cannot be switched while the sandbox runs; choose it at the start, with --assume bodyLimit=tenMiB',
    )
}

/** These decide before it is known which team asks. */
const beforeTheTeam: readonly AssumptionName[] = ['bearerRoutes', 'bothCredentials', 'wrongMethod']

function checkForTeam(choices: WrittenChoices): void {
  checkForAll(choices)
  const early = namesIn(choices).find((name) => beforeTheTeam.includes(name))
  if (early !== undefined)
    refuse(`${early} decides before it is known which team asks; switch it for all teams, without teamId`)
}
