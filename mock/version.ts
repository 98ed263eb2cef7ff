import { createRequire } from 'node:module'

// By its name, which is the same from the sources and from what is published.
export const { version } = createRequire(import.meta.url)('crm-sandbox/package.json') as { version: string }
