import { watchFile } from 'node:fs'
import { loadWorld, namesFile } from '../fixtures/load-world.ts'
import { oneAtATime } from '../lib/once.ts'
import { UserError } from '../lib/user-error.ts'
import { CannotStart } from '../mock/cannot-start.ts'
import type { ServedSandbox } from '../mock/create-sandbox.ts'
import type { WrittenChoices } from '../spec/choices.ts'
import { loadProfile } from './load-profile.ts'
import type { Settings } from './options.ts'

type Files = Pick<Settings, 'watch' | 'world' | 'profile'>

/** Throws unless there is a file to watch. */
export function checkWatch({ watch, world = 'demo', profile }: Files): void {
  if (!watch || namesFile(world) || profile !== undefined) return
  throw new CannotStart(
    (nameOf) => `${nameOf('watch')} needs a file to watch: --world shop.yaml, or --profile profile.yaml.`,
  )
}

/** Loads the world and the profile again when their files change, and reports it. */
export function watchFiles(
  { world = 'demo', profile }: Files,
  sandbox: ServedSandbox,
  start: { readonly profile: WrittenChoices; readonly assume: WrittenChoices },
  write: (line: string) => void,
): void {
  if (namesFile(world)) onChange(world, 'world', async () => sandbox.replaceWorld(await loadWorld(world)), write)
  if (profile === undefined) return
  const replaceProfile = async () => {
    const next = await loadProfile(profile)
    if (start.assume.bodyLimit === undefined && next.bodyLimit !== start.profile.bodyLimit)
      throw new UserError(`The profile ${profile} changes bodyLimit, which needs a new start of the server.`)
    await sandbox.replaceProfile(next)
  }
  onChange(profile, 'profile', replaceProfile, write)
}

/** How long a file must stay the same before it is read, in milliseconds: an editor may write it in parts. */
const settleTime = 100

/**
 * Calls back when the file at a path is another one, or has other content. It asks for the state of the file, since events
 * of the system end when a file is replaced, and do not come from the host of a container.
 */
function onChange(path: string, what: string, replace: () => Promise<void>, write: (line: string) => void): void {
  const inTurn = oneAtATime()
  const load = async () => {
    try {
      await replace()
      write(`Loaded ${path}.`)
    } catch (error) {
      // Whatever is wrong, with the file or the store, the sandbox serves on.
      const reason = error instanceof Error ? error.message : String(error)
      for (const line of `The sandbox keeps its ${what}. ${reason}`.split('\n')) write(line)
    }
  }
  let timer: NodeJS.Timeout | undefined
  watchFile(path, { interval: settleTime / 2, persistent: false }, () => {
    clearTimeout(timer)
    timer = setTimeout(() => void inTurn(load), settleTime)
  })
}
