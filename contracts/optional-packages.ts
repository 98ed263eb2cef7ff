import { createRequire } from 'node:module'

/** What only these commands need. `npm install --omit=optional` leaves it out. */
const needs: Readonly<Record<string, readonly string[]>> = { verify: ['vitest', 'pactum'] }

const require = createRequire(import.meta.url)

/** One sentence when a package is missing that the command needs: which, and how to add it. */
export function missingFor(command: string): string | undefined {
  const missing = (needs[command] ?? []).filter((name) => !isInstalled(name))
  if (missing.length === 0) return undefined
  const { optionalDependencies: versions } = require('crm-sandbox/package.json') as Manifest
  const [are, them] = missing.length > 1 ? ['are', 'them'] : ['is', 'it']
  const install = missing.map((name) => `${name}@${versions[name] ?? 'latest'}`).join(' ')
  return `${command} needs ${missing.join(' and ')}, which ${are} not installed; add ${them} with: npm install ${install}`
}

interface Manifest {
  readonly optionalDependencies: Readonly<Record<string, string>>
}

function isInstalled(name: string): boolean {
  try {
    require.resolve(`${name}/package.json`)
    return true
  } catch {
    return false
  }
}
