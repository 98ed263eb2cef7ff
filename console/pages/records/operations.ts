import { asTeam, sandbox } from '../../session.ts'

type Operation = (...input: unknown[]) => Promise<{ readonly data?: unknown }>

/** Calls an operation of the API as the team, by its id. */
export async function callAs(
  team: string,
  operation: string,
  ...input: unknown[]
): Promise<{ readonly data?: unknown }> {
  const { apiKeys } = await sandbox.value.teams.get(team)
  const crm = asTeam(apiKeys[0] ?? '') as unknown as Readonly<Record<string, Operation>>
  const call = crm[operation]
  if (!call) throw new Error(`The API has no operation ${operation}.`)
  return call(...input)
}
