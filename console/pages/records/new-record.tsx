import { useLocation } from 'preact-iso'
import { act } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { hrefOf, kinds, type RecordKind } from './kinds.ts'
import { callAs } from './operations.ts'
import { RecordForm } from './record-form.tsx'

/** Creates a record with the operation of the API, and opens it. */
export function NewRecord({ team, kind }: { readonly team: string; readonly kind: RecordKind }) {
  const { route } = useLocation()
  const { one, form, formToCreate = form, operations } = kinds[kind]
  const create = (body: object) =>
    act(async () => {
      const { data } = await callAs(team, operations.create, body)
      const id = typeof data === 'object' && data !== null && '_id' in data ? String(data._id) : ''
      route(hrefOf(team, kind, id))
    }, `Created the ${one}`)
  return (
    <Page title={`New ${one}`}>
      <RecordForm
        fields={formToCreate}
        record={{}}
        submit={`Create the ${one}`}
        onSubmit={(body) => void create(body)}
        onCancel={() => {
          route(hrefOf(team, kind))
        }}
      />
    </Page>
  )
}
