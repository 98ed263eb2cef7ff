import { createRequire } from 'node:module'
import manifest from '../package.json' with { type: 'json' }

/** What only these commands need. `npm install --omit=optional` leaves it out. */
const needs: Readonly<Record<string, readonly string[]>> = { verify: ['vitest', 'pactum'] }

const require = createRequire(import.meta.url)

/** One sentence when a package is missing that the command needs: which, and how to add it. */
export function missingFor(command: string): string | undefined {
  const missing = (needs[command] ?? []).filter((name) => !isInstalled(name))
  if (missing.length === 0) return undefined
  const versions: Readonly<Record<string, string>> = manifest.optionalDependencies
  const [are, them] = missing.length > 1 ? ['are', 'them'] : ['is', 'it']
  const install = missing.map((name) => `${name}@${versions[name] ?? 'latest'}`).join(' ')
  return `${command} needs ${missing.join(' and ')}, which ${are} not installed; add ${them} with: npm install ${install}`
}

function isInstalled(name: string): boolean {
  try {
    require.resolve(`${name}/package.json`)
    return true
  } catch {
    return false
  }
}
