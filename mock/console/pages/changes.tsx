import { useState } from 'preact/hooks'
import { changesInWords } from '../../control/changes-in-words.ts'
import type { ChangesByKind } from '../../testing/control-client.ts'
import { hrefOf, useQuery } from '../address.ts'
import { useData } from '../data.ts'
import { Button } from '../ui/buttons.tsx'
import { Filter } from '../ui/form.tsx'
import { Loaded, Page, type PageProps } from '../ui/page.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { Badge } from '../ui/values.tsx'
import { type AnyRecord, kinds, textOf, titleOf } from './records/kinds.ts'

interface Change {
  readonly kind: string
  readonly what: 'created' | 'updated' | 'deleted'
  readonly record: AnyRecord
}

/** More rows would slow the page down. */
const mostShown = 200
/** With more changes, the page compares again only when it is asked to. */
const mostLive = 1_000

const tones = { created: 'good', updated: 'waiting', deleted: 'bad' } as const

/** What changed in the team since its initial records, or since a snapshot. */
export function Changes({ team }: PageProps) {
  const { since } = useQuery().query
  const [isLive, setLive] = useState(true)
  const changes = useData(
    async (client) => {
      const [byKind, snapshots] = await Promise.all([
        client.changes({ teamId: team, ...(since !== undefined && { since }) }),
        client.snapshots.list(),
      ])
      const all = listOf(byKind)
      setLive(all.length <= mostLive)
      const names = snapshots.filter(({ of, teams }) => of === 'everything' || teams.includes(team))
      return { words: changesInWords(byKind), all, names: names.map(({ name }) => name) }
    },
    [team, since],
    isLive ? 'records' : 'settings',
  )
  const start = since === undefined ? 'the last reset' : `the snapshot ${since}`
  const columns: readonly Column<Change>[] = [
    { title: 'Change', show: ({ what }) => <Badge tone={tones[what]}>{what}</Badge> },
    { title: 'Kind', show: ({ kind }) => kind },
    { title: 'Record', show: (change) => <ChangedRecord change={change} team={team} /> },
    { title: 'Fields', show: (change) => <Fields change={change} /> },
  ]
  return (
    <Page title="Changes" actions={isLive ? null : <Button onPress={changes.reload}>Compare again</Button>}>
      <div class="filters">
        <Filter name="since" label="Since" all="Since the last reset" choices={changes.value?.names ?? []} />
      </div>
      <Loaded data={changes}>
        {({ words, all }) => (
          <>
            <p role="status">
              Since {start}: {words.charAt(0).toLowerCase() + words.slice(1)}.
            </p>
            <Table
              caption={`What changed since ${start}`}
              columns={columns}
              rows={all.slice(0, mostShown)}
              keyOf={({ kind, what, record }) => `${kind} ${what} ${String(record._id)}`}
              empty="Save a snapshot, try something, and read here what it changed."
            />
            {all.length > mostShown ? (
              <p class="more">
                Only the first {mostShown} of {all.length.toLocaleString()} are shown.
              </p>
            ) : null}
          </>
        )}
      </Loaded>
    </Page>
  )
}

const listOf = (changes: ChangesByKind): Change[] =>
  Object.entries(changes).flatMap(([kind, ofKind]) =>
    (['created', 'updated', 'deleted'] as const).flatMap((what) =>
      ofKind[what].map((record) => ({ kind, what, record: { ...record } })),
    ),
  )

function ChangedRecord({ change: { kind, what, record }, team }: { readonly change: Change; readonly team: string }) {
  const title = titleOf(record)
  return what !== 'deleted' && kind in kinds ? <a href={hrefOf(team, kind, String(record._id))}>{title}</a> : title
}

/** The fields that were changed, each with its value before and after. */
function Fields({ change: { what, record } }: { readonly change: Change }) {
  if (what !== 'updated') return null
  return (
    <ul class="links">
      {Object.entries(record.fields as UpdatedFields).map(([name, { before, after }]) => (
        <li key={name}>
          {name}: <del>{textOf(before, 100)}</del> → <ins>{textOf(after, 100)}</ins>
        </li>
      ))}
    </ul>
  )
}

type UpdatedFields = Readonly<Record<string, { readonly before?: unknown; readonly after?: unknown }>>
