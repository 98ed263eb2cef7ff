import { basename, dirname } from 'node:path'
import type { Files } from './files.ts'
import type { KeptWorld } from './kept-world.ts'
import { lineFrom } from './log-line.ts'
import { UnusableFile } from './unusable-file.ts'

/** Holds what happened after a document was written, up to where the next log begins. */
export interface Log {
  readonly path: string
  /** How much had happened before. */
  readonly after: number
}

export const logAfter = (turns: number, path: string): Log => ({ path: `${path}.${turns}.log`, after: turns })

/** In the order in which they were written. */
export async function logsOf(path: string, files: Files): Promise<readonly Log[]> {
  const prefix = `${basename(path)}.`
  const names = (await files.list(dirname(path))).filter((name) => name.startsWith(prefix))
  const numbers = names.map((name) => /^(\d{1,15})\.log$/.exec(name.slice(prefix.length))?.[1])
  const turns = numbers.filter((number) => number !== undefined).map(Number)
  return turns.sort((one, other) => one - other).map((after) => logAfter(after, path))
}

/** Applies the logs to the world. What the document holds already is skipped. */
export async function replay(logs: readonly Log[], kept: KeptWorld, files: Files): Promise<void> {
  for (const log of logs.filter(({ after }) => after >= kept.turns)) {
    const bytes = (await files.read(log.path)) ?? Buffer.alloc(0)
    if (bytes.length === 0 && log.after < kept.turns) continue
    if (log.after !== kept.turns) throw gap(log, kept)
    replayLines(bytes, log, kept)
  }
}

function gap({ path, after }: Log, { turns }: KeptWorld): UnusableFile {
  return new UnusableFile(
    path,
    `goes on after turn ${after}, but what comes before it ends with turn ${turns}`,
    'put back what is missing, or move this log away to go on without it',
  )
}

/** A last line without an end was cut short while it was written, so none of it was answered. */
function replayLines(bytes: Buffer, log: Log, kept: KeptWorld): void {
  let number = 1
  for (let from = 0; ; number++) {
    const end = bytes.indexOf('\n', from)
    if (end < 0) break
    replayLine(bytes.toString('utf8', from, end), kept, (reason) => damaged(log, number, reason))
    from = end + 1
  }
}

function replayLine(text: string, kept: KeptWorld, damage: (reason: string) => Error): void {
  const line = lineFrom(text)
  if (!line) throw damage('its checksum does not match')
  if (line.turn !== kept.turns + 1) throw damage(`it is turn ${line.turn} where turn ${kept.turns + 1} should be`)
  try {
    for (const happened of line.happened) kept.apply(happened)
  } catch (error) {
    throw damage((error as Error).message)
  }
}

function damaged({ path }: Log, line: number, reason: string): UnusableFile {
  return new UnusableFile(
    path,
    `is damaged in line ${line} (${reason})`,
    'restore a backup, or cut this line and what follows it to go on without them',
  )
}
