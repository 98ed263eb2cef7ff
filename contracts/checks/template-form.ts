import type { Tools } from '../../client/tools.ts'

/** A WhatsApp template for a form. It contains no list, because how a form encodes one is left open. */
export function formTemplate({ some }: Tools) {
  const { variables, bodyVariableSampleValues, ...template } = some.template.whatsapp()
  return { ...template, content: 'Your order has left' }
}

/** Fields of a template whose header shows the picture of a form. */
export const imageHeader = { isHeader: true, headerType: 'image' }

/** Fields as multipart/form-data, where everything is text, with a file if there is one. */
export function formOf(fields: Readonly<Record<string, string | boolean>>, file?: File): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  if (file) form.append('file', file)
  return form
}

/** Minimal PNG, MP4 and PDF, for servers that look into a file. */
export const mediaOf = {
  image: () => fileFrom('engine.png', 'image/png', png),
  video: () => fileFrom('engine.mp4', 'video/mp4', mp4),
  document: () => fileFrom('engine.pdf', 'application/pdf', Buffer.from(pdf).toString('base64')),
} as const

const fileFrom = (name: string, type: string, base64: string) =>
  new File([Buffer.from(base64, 'base64')], name, { type })

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const mp4 = 'AAAAHGZ0eXBpc29tAAACAGlzb21pc28ybXA0MQAAAAhmcmVlAAAACG1kYXQ='
const pdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`
