import { useLocation } from 'preact-iso'
import { hrefOf } from '../address.ts'
import { useData } from '../data.ts'
import { countRecords, countsInWords } from '../record-counts.ts'
import { sandbox, sentenceOf } from '../session.ts'
import { ActionButton, ActionForm } from '../ui/actions.tsx'
import { CopyButton } from '../ui/buttons.tsx'
import type { Choice } from '../ui/form.tsx'
import { Loaded, Page, type PageProps } from '../ui/page.tsx'
import { List } from '../ui/table.tsx'
import { Badge, labelOf } from '../ui/values.tsx'

/** All teams of the sandbox. It also works when there is none. */
export function Teams({ team }: PageProps) {
  const { route } = useLocation()
  const { teams } = sandbox.value
  const list = useData((client) => client.teams.list(), [], 'settings')
  const sources = useData(readSources, [], 'settings')
  const all = list.value ?? []
  return (
    <Page title="Teams">
      <List
        caption="Teams"
        data={list}
        columns={[
          { title: 'Name', show: ({ name }) => name },
          { title: 'Id', show: ({ teamId }) => <code>{teamId}</code> },
        ]}
        actions={({ teamId, name }) => {
          const label = labelOf({ teamId, name }, all)
          const records = () => countRecords(teamId, sandbox.value).then(countsInWords, sentenceOf)
          const remove = async () => {
            await teams.delete(teamId)
            if (teamId === team) route(hrefOf(all.find((other) => other.teamId !== team)?.teamId ?? '-', 'teams'))
          }
          return (
            <>
              {teamId === team ? (
                <Badge tone="good">Shown now</Badge>
              ) : (
                <a class="button" href={hrefOf(teamId)}>
                  Switch to it
                </a>
              )}
              <CopyButton label="Copy key" text={() => keyOf(teamId)} />
              <ActionButton
                title="Fork"
                run={() => teams.create({ name: `Fork of ${name}`.slice(0, 100), from: `team:${teamId}` })}
                done={`Forked ${name}: the fork has the same records, and a key of its own`}
              />
              <ActionButton
                title="Reset"
                asks={`Reset the team ${label}`}
                loses={async () =>
                  `It goes back to its initial records. Its records of now will be lost: ${await records()}. Its key stays.`
                }
                run={() => teams.reset(teamId)}
                done={`The team ${label} has its initial records again`}
              />
              <ActionButton
                title="Delete"
                asks={`Delete the team ${label}`}
                loses={async () => `Its API keys and its records will be lost: ${await records()}.`}
                run={remove}
                done={`The team ${label} was deleted`}
              />
            </>
          )
        }}
        keyOf={({ teamId }) => teamId}
        hrefOf={({ teamId }) => hrefOf(teamId)}
        empty="This sandbox has no team. Create one below, or load a world."
      />
      <Loaded data={sources}>
        {(choices) => (
          <ActionForm
            title="Create a team"
            columns={[
              [
                { name: 'name', label: 'Name', hint: 'Its id, if there is none.', maxLength: 100 },
                { name: 'from', label: 'Starts with', hint: sourceHint, choices },
              ],
              [{ name: 'apiKey', label: 'API key', hint: keyHint }],
            ]}
            action={(fields, form) => ({
              title: 'Create the team',
              async run() {
                const { teamId } = await teams.create(fields)
                form?.reset()
                if (all.every((one) => one.teamId !== team)) route(hrefOf(teamId))
              },
              done: `Created the team ${fields.name ?? ''}`,
            })}
          />
        )}
      </Loaded>
    </Page>
  )
}

const sourceHint = 'The records of the new team, as a copy that is its own.'
const keyHint = 'At least 8 characters without spaces. Generated, if there is none.'

async function keyOf(teamId: string): Promise<string> {
  const { name, apiKeys } = await sandbox.value.teams.get(teamId)
  return apiKeys[0] ?? Promise.reject(new Error(`The team ${name} has no API key.`))
}

/** What a new team can start with: nothing, or the records of a team, a world or a snapshot. */
async function readSources({ teams, worlds, snapshots }: typeof sandbox.value): Promise<readonly Choice[]> {
  const [present, shipped, saved] = await Promise.all([teams.list(), worlds.list(), snapshots.list()])
  return [
    ['empty', 'No records, and a provider for each channel'],
    {
      group: 'The present records of',
      choices: present.map((one) => [`team:${one.teamId}`, labelOf(one, present)]),
    },
    {
      group: 'A world of the package',
      choices: shipped.flatMap(({ name, teams }) => teams.map((team): Choice => [team.from, `${name}: ${team.name}`])),
    },
    {
      group: 'A snapshot',
      choices: saved.flatMap(({ name, teams }) =>
        teams.map((team): Choice => [`snapshot:${name}/${team}`, `${name}: ${team}`]),
      ),
    },
  ]
}
