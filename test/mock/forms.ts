import { openSandbox, type Told } from './harness.ts'
import { everything } from './template-calls.ts'

export const picture = () => new File([new Uint8Array(70_000)], '../../etc/passwd', { type: 'image/png' })
export const buttons = [{ type: 'QUICK_REPLY', text: 'Thanks' }]

export function formOf(fields: Record<string, string | File | readonly string[]>): FormData {
  const form = new FormData()
  for (const [name, values] of Object.entries(fields)) {
    for (const value of typeof values === 'string' || values instanceof File ? [values] : values)
      form.append(name, value)
  }
  return form
}

/** A sandbox, and functions that send it forms and read what it stores. */
export async function open(options: Parameters<typeof openSandbox>[0] = {}) {
  const { sandbox, call } = await openSandbox({ ...options, assume: { templateFields: 'allSent', ...options.assume } })
  const send = async (form: FormData, { id = '', method = 'POST', headers = {} } = {}) => {
    const answer = await sandbox.fetch(`/api/templates${id && `/${id}`}`, {
      method,
      headers: { 'x-api-key': 'acme-key', ...headers },
      body: form,
    })
    const body: Told['body'] = await answer.json()
    return { status: answer.status, body, assumed: answer.headers.get('x-sandbox-assumed') }
  }
  const kept = async () => (await call('listTemplates', { query: everything })).body.data as Record<string, unknown>[]
  return { sandbox, call, send, kept }
}
