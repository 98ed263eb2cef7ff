import { sandbox } from '../../session.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { useData } from '../../use-data.ts'
import { type AnyRecord, hrefOf, kinds, type RecordKind, titleOf } from './kinds.ts'

interface RelationsProps {
  readonly team: string
  readonly kind: RecordKind
  readonly record: AnyRecord
}

const mostShown = 20

/** The records that are related to this one, as links. */
export function Relations({ team, kind, record }: RelationsProps) {
  const client = sandbox.value
  const related = useData(() => {
    const all = kinds[kind].relations(record)
    return Promise.all(
      all.map(async ({ title, kind, where }) => ({
        title,
        kind,
        ...(await client.records(team, kind, { where, limit: mostShown })),
      })),
    )
  }, [client, team, kind, record])
  return (
    <section>
      <h2>Related</h2>
      <Loaded data={related}>
        {(groups) =>
          groups.every(({ total }) => total === 0) ? (
            <p class="empty">No other record is related to it.</p>
          ) : (
            <dl class="fields">
              {groups.map(({ title, kind, total, records }, at) =>
                total === 0 ? null : (
                  <div key={at}>
                    <dt>{title}</dt>
                    <dd class="list">
                      {records.map(({ _id, ...one }) => (
                        <a key={String(_id)} href={hrefOf(team, kind, String(_id))}>
                          {titleOf({ ...one, _id })}
                        </a>
                      ))}
                      {total > records.length ? (
                        <small>and {(total - records.length).toLocaleString()} more</small>
                      ) : null}
                    </dd>
                  </div>
                ),
              )}
            </dl>
          )
        }
      </Loaded>
    </section>
  )
}
