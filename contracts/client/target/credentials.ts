import { CannotRun } from '../errors.ts'

/** Where each credential is found, and what the curl lines call it. */
export const variables = {
  team: 'CRM_API_KEY',
  otherTeam: 'CRM_OTHER_API_KEY',
  admin: 'CRM_ADMIN_TOKEN',
  agent: 'CRM_AGENT_TOKEN',
} as const

/** The owner of a credential. */
export type Who = keyof typeof variables

export const credentialNames: Readonly<Record<Who, string>> = {
  team: 'the key of a team',
  otherTeam: 'the key of a second team',
  admin: 'the token of an admin',
  agent: 'the token of an agent',
}

export type Credentials = Readonly<Partial<Record<Who, string>>>

/** The sender of a request, with a known credential, with none, or with an invalid one. */
export type Caller = Who | 'nobody' | { readonly key: string } | { readonly token: string }

/** The header with the credential of a caller; `reveal` gives the secret of a known one. */
export function credentialHeader(
  caller: Caller,
  reveal: (who: Who) => string,
): readonly [name: string, value: string] | undefined {
  if (caller === 'nobody') return undefined
  if (typeof caller !== 'string')
    return 'key' in caller ? ['x-api-key', caller.key] : ['authorization', `Bearer ${caller.token}`]
  return caller === 'team' || caller === 'otherTeam'
    ? ['x-api-key', reveal(caller)]
    : ['authorization', `Bearer ${reveal(caller)}`]
}

/** Empty credentials count as missing. */
export function readCredentials(credentials: Credentials): Credentials {
  const present = Object.entries(credentials).filter(([, value]) => value !== '')
  for (const [who, value] of present)
    if (!/^[!-~]+$/.test(value))
      throw new CannotRun(`${variables[who as Who]} holds characters that no header can carry.`)
  return Object.fromEntries(present)
}
