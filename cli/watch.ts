import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { namesFile } from '../fixtures/load-world.ts'
import type { World } from '../fixtures/world.ts'
import { oneAtATime } from '../lib/async.ts'
import { CannotStart, UserError } from '../lib/user-error.ts'
import type { ServedSandbox } from '../mock/create-sandbox.ts'
import type { FaultToAdd } from '../mock/options.ts'
import type { WrittenChoices } from '../spec/choices.ts'
import { isList } from '../lib/option-schemas.ts'
import type { Settings } from './options.ts'

type Files = Pick<Settings, 'watch' | 'world' | 'profile' | 'faults'>

/** A file to load again when its state changes. */
export interface WatchedFile {
  readonly option: 'world' | 'profile' | 'faults'
  readonly path: string
  readonly state: string | undefined
}

/** The files to watch, with their states before they are loaded. Throws if there are none. */
export async function filesToWatch({ watch, world = 'demo', profile, faults }: Files): Promise<readonly WatchedFile[]> {
  if (!watch) return []
  const paths = [
    ['world', namesFile(world) ? world : undefined],
    ['profile', profile],
    ['faults', faults === undefined || isList(faults) ? undefined : faults],
  ] as const
  const files = paths.flatMap(([option, path]) => (path === undefined ? [] : [{ option, path }]))
  if (files.length === 0)
    throw new CannotStart(
      (nameOf) =>
        `${nameOf('watch')} needs a file to watch: --world shop.yaml, --profile profile.yaml, or --faults faults.yaml.`,
    )
  return Promise.all(files.map(async (file) => ({ ...file, state: await stateOf(file.path) })))
}

/** Loads the world, the profile and the faults again when their files change, and reports it. */
export function watchFiles(
  files: readonly WatchedFile[],
  sandbox: ServedSandbox,
  start: { readonly profile: WrittenChoices; readonly assume: WrittenChoices },
  write: (line: string) => void,
): void {
  const replace: Readonly<Record<WatchedFile['option'], (path: string) => Promise<void>>> = {
    world: async (path) => sandbox.replaceWorld((await loadFile('world', path)) as World),
    profile: async (path) => {
      const next = (await loadFile('profile', path)) as WrittenChoices
      if (start.assume.bodyLimit === undefined && next.bodyLimit !== start.profile.bodyLimit)
        throw new UserError(`The profile ${path} changes bodyLimit, which needs a new start of the server.`)
      await sandbox.replaceProfile(next)
    },
    faults: async (path) => sandbox.replaceFaults((await loadFile('faults', path)) as readonly FaultToAdd[]),
  }
  const inTurn = oneAtATime() // a parser needs much memory
  for (const file of files) onChange(file, () => inTurn(() => replace[file.option](file.path)), write)
}

/** Loads a file in a worker, where the parser holds no request. */
async function loadFile(option: WatchedFile['option'], path: string): Promise<unknown> {
  const worker = new Worker(new URL('load-file.js', import.meta.url), { workerData: { option, path } })
  try {
    const [{ content, reason }] = (await once(worker, 'message')) as [{ content?: unknown; reason?: string }]
    if (reason !== undefined) throw new UserError(reason)
    return content
  } finally {
    await worker.terminate()
  }
}

/** How long a file must stay the same before it is read, in milliseconds: an editor may write it in parts. */
const settleTime = 100

/**
 * Calls back when the file at a path is another one, or has other content. It asks for the state of the file, since events
 * of the system end when a file is replaced, and do not come from the host of a container.
 */
function onChange(
  { option, path, state }: WatchedFile,
  replace: () => Promise<void>,
  write: (line: string) => void,
): void {
  const load = async () => {
    try {
      await replace()
      write(`Loaded ${path}.`)
    } catch (error) {
      // The sandbox serves on after an error of the file or of the store.
      const reason = error instanceof Error ? error.message : String(error)
      for (const line of `The sandbox keeps its ${option}. ${reason}`.split('\n')) write(line)
    }
  }
  let known = state
  let timer: NodeJS.Timeout | undefined
  const look = async () => {
    const now = await stateOf(path)
    if (now === known) return
    known = now
    clearTimeout(timer)
    timer = setTimeout(() => void load(), settleTime)
  }
  setInterval(() => void look(), settleTime / 2).unref()
}

/** Undefined when there is no file, and for a pipe, which cannot be read again. */
async function stateOf(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined)
  return found?.isFile() ? `${found.ino} ${found.size} ${found.mtimeNs}` : undefined
}
