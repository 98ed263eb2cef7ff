import type { Tools } from '../../client/tools.ts'

/** A template for WhatsApp, to be sent as a form. How a form writes a list is left open, so that it holds none. */
export function formTemplate({ provider, some }: Tools) {
  const { bodyVariableSampleValues, ...template } = some.template.whatsapp(provider('whatsapp', 'id'))
  return { ...template, content: 'Your order has left' }
}

/** Fields as multipart/form-data, where everything is text, and a file when there is one. */
export function formOf(fields: Readonly<Record<string, string | boolean>>, file?: File): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  if (file) form.append('file', file)
  return form
}

/** The least that is a picture, a film or a page, for who looks into what it is sent. */
export const mediaOf = {
  image: () => fileFrom('engine.png', 'image/png', picture),
  video: () => fileFrom('engine.mp4', 'video/mp4', film),
  document: () => fileFrom('engine.pdf', 'application/pdf', Buffer.from(page).toString('base64')),
} as const

const fileFrom = (name: string, type: string, base64: string) =>
  new File([Buffer.from(base64, 'base64')], name, { type })

const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const film = 'AAAAHGZ0eXBpc29tAAACAGlzb21pc28ybXA0MQAAAAhmcmVlAAAACG1kYXQ='
const page = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`
