import { withoutPeriod } from '../../lib/text.ts'
import { type Static, Type } from 'typebox'
import { assumption, type AssumptionName, assumptionNames } from '../../spec/assumptions.ts'
import { dropped, readProfile, UnreadableChoice, type WrittenChoices, writtenChoice } from '../../spec/choices.ts'
import { findTeam } from './context.ts'
import { UnknownName, reject } from '../core/rejections.ts'
import { noun, route } from './route.ts'
import {
  anyObject,
  input,
  integer,
  listOf,
  OfTeam,
  oneOf,
  optionalId,
  optionalText,
  output,
  text,
} from '../core/schemas.ts'
import type { TeamSettings } from './settings.ts'

const ChoicesToSet = input('ChoicesToSet', {
  choices: anyObject<WrittenChoices>(
    'an object that gives names their choices, such as { "contactMatching": "phoneThenEmail" }',
    'The names of assumptions, each with its choice, such as `{"rateLimit":"perMinute:60"}`.',
    { minProperties: 1 },
  ),
  teamId: optionalId(),
})

const Assumption = output(
  'Assumption',
  {
    name: text(),
    question: text(),
    choice: text('The choice in force, with its number: `perMinute:60`.'),
    from: oneOf(
      ['default', 'profile', 'start', 'runTime', 'team'],
      'Where the choice comes from: the register, the profile, an option at the start, or a switch, for all teams or for this one.',
    ),
    relied: integer('How many answers relied on it, whatever the team, since the start, a reset, or `clearRequests`.'),
    assumed: text('The choice of the register.'),
    certainty: oneOf(['likely', 'open']),
    section: text('The section of the specification that leaves it open.'),
    operations: Type.Union([Type.Literal('all'), Type.Array(Type.String())], {
      description: 'The operations whose answers can depend on it.',
    }),
    choices: listOf(
      Type.Object({
        choice: text(),
        words: text(),
        numberOf: optionalText('The unit of the number that the choice takes, as in `perMinute:60`.'),
      }),
      'All choices.',
    ),
  },
  'A question that the specification leaves open, and the answer in force.',
)
type Assumption = Static<typeof Assumption>

export const assumptions = noun(
  'assumptions',
  'What the sandbox assumes where the specification leaves it open.',
  ({ choices, journal, settings, store }) => {
    const show = async (names: readonly AssumptionName[], teamId: string | undefined): Promise<Assumption[]> => {
      if (teamId !== undefined) await findTeam(teamId, store)
      return names.map((name) => describe(name, teamId))
    }

    const describe = (name: AssumptionName, teamId: string | undefined): Assumption => {
      const { section, question, operations, certainty, assumed, choices: all } = assumption(name)
      return {
        name,
        question,
        choice: writtenChoice(choices.of(teamId).chosen[name]),
        from: choices.sourceOf(name, teamId),
        relied: journal.timesRelied(name),
        assumed,
        certainty,
        section,
        operations: operations === 'all' ? 'all' : [...operations],
        choices: Object.entries(all).map(([choice, meaning]) =>
          typeof meaning === 'string'
            ? { choice, words: meaning }
            : { choice, words: meaning.words, numberOf: meaning.amount.unit },
        ),
      }
    }

    return {
      listAssumptions: route('GET /assumptions', 'List the assumptions, with the choices in force', {
        description: 'For all teams, or for the team of `teamId`.',
        query: OfTeam,
        message: 'Assumptions found',
        data: listOf(Assumption),
        handler: ({ query: { teamId } }) => show(assumptionNames, teamId),
      }),

      getAssumption: route('GET /assumptions/:name', 'Get one assumption, with the choice in force', {
        query: OfTeam,
        message: 'Assumption found',
        data: Assumption,
        async handler({ params, query: { teamId } }) {
          const names = assumptionNames.filter((name) => name === params.name)
          const [found] = await show(names, teamId)
          if (!found) throw new UnknownName('assumption', params.name, assumptionNames)
          return found
        },
      }),

      setAssumptions: route('PUT /assumptions', 'Switch choices, for all teams or for one', {
        description:
          'All of them, or none. They hold for requests that come from now on. A choice of one team goes before one of all teams.',
        body: ChoicesToSet,
        example: { choices: { contactMatching: 'phoneThenEmail' }, teamId: 'acme' },
        message: 'Assumptions switched',
        data: listOf(Assumption),
        async handler({ body: { choices: wanted, teamId } }) {
          const written = readChoices(wanted)
          refuseFixed(written, teamId)
          if (teamId !== undefined) await findTeam(teamId, store)
          const switchTo = (settings: TeamSettings) => {
            settings.choices = { ...settings.choices, ...written }
          }
          await (teamId === undefined ? settings.change(switchTo) : settings.changeOf(teamId, switchTo))
          return show(namesIn(written), teamId)
        },
      }),

      resetAssumptions: route('DELETE /assumptions', 'Bring back the choices of the start', {
        description: 'For all teams; with a team, its own choices are dropped, and those of all teams hold for it.',
        query: OfTeam,
        message: 'Assumptions are as they were at the start',
        async handler({ query: { teamId } }) {
          if (teamId !== undefined) await findTeam(teamId, store)
          const drop = (settings: TeamSettings) => {
            settings.choices = {}
          }
          if (teamId !== undefined) await settings.changeOf(teamId, drop)
          else {
            await settings.change(drop)
            await settings.changeEach(({ choices }) => Object.keys(choices).length > 0, drop)
          }
        },
      }),
    }
  },
)

function readChoices(wanted: object): WrittenChoices {
  const gone = Object.keys(wanted).find((name) => dropped.has(name))
  if (gone !== undefined) reject(`${gone} is no assumption any more: its choice has no effect; leave it out`)
  try {
    return readProfile(wanted)
  } catch (error) {
    if (error instanceof UnreadableChoice) reject(withoutPeriod(error.message))
    throw error
  }
}

const namesIn = (choices: WrittenChoices) => Object.keys(choices) as AssumptionName[]

/** These decide before the team of a request is known. */
const beforeTheTeam: readonly AssumptionName[] = ['bearerRoutes', 'bothCredentials', 'wrongMethod']

function refuseFixed(choices: WrittenChoices, teamId: string | undefined): void {
  if (choices.bodyLimit !== undefined)
    reject(
      'bodyLimit cannot be switched while the sandbox runs; choose it at the start, with --assume bodyLimit=tenMiB',
    )
  const early = namesIn(choices).find((name) => beforeTheTeam.includes(name))
  if (teamId !== undefined && early !== undefined)
    reject(`${early} decides before it is known which team asks; switch it for all teams, without teamId`)
}
