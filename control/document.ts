import { readFileSync } from 'node:fs'
import { once } from '../shared/once.ts'
import type { Document } from '../spec/document.ts'

// The document of the control plane, read when it is first needed: most sandboxes never need it.

export const controlDocument = once(() => JSON.parse(controlDocumentText()) as Document)

export const controlDocumentText = once(() =>
  readFileSync(new URL('./generated/openapi.json', import.meta.url), 'utf8'),
)
