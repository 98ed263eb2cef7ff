import { createRequire } from 'node:module'
import manifest from '../package.json' with { type: 'json' }

/** The packages of a command that an installation may lack: optional dependencies, and peers. */
const needs: Readonly<Record<string, readonly string[]>> = {
  verify: ['vitest', 'pactum'],
  mcp: ['@modelcontextprotocol/server'],
}

const require = createRequire(import.meta.url)

/** One sentence with the missing packages of a command, and how to install them. */
export function missingFor(command: string): string | undefined {
  const missing = (needs[command] ?? []).filter((name) => !isInstalled(name))
  if (missing.length === 0) return undefined
  const versions: Readonly<Record<string, string>> = { ...manifest.optionalDependencies, ...manifest.peerDependencies }
  const [are, them] = missing.length > 1 ? ['are', 'them'] : ['is', 'it']
  const install = missing.map((name) => `${name}@${versions[name] ?? 'latest'}`).join(' ')
  return `${command} needs ${missing.join(' and ')}, which ${are} not installed; add ${them} with: npm install ${install}`
}

function isInstalled(name: string): boolean {
  try {
    require.resolve(name)
    return true
  } catch {
    return false
  }
}
