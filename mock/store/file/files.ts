/** What the file store needs of a file system. Tests give it one that fails, or that forgets. */
export interface Files {
  /** The path of the file itself, behind any links, whether or not it exists yet. */
  find(path: string): Promise<string>
  /** Undefined when there is none. */
  read(path: string): Promise<Buffer | undefined>
  /** The names in a folder. */
  list(folder: string): Promise<readonly string[]>
  /** Creates a file; fails if it exists. */
  create(path: string): Promise<OpenFile>
  /** Creates a file, or empties one. */
  empty(path: string): Promise<OpenFile>
  rename(from: string, to: string): Promise<void>
  /** Does nothing if there is none. */
  remove(path: string): Promise<void>
  /** Makes safe what was created, renamed and removed in the folder. */
  syncFolder(folder: string): Promise<void>
}

export interface OpenFile {
  /** Writes the bytes after `from`; answers how many of them were written, which may be fewer. */
  write(bytes: Buffer, from: number, position: number): Promise<number>
  /** The same, and what was written is safe. */
  writeSafely(bytes: Buffer, from: number, position: number): Promise<number>
  /** Makes safe what was written. */
  sync(): Promise<void>
  truncate(length: number): Promise<void>
  close(): Promise<void>
}

type Write = OpenFile['write']

/** Writes all of the bytes by as many writes as it takes. */
export async function writeWhole(write: Write, bytes: Buffer, position: number): Promise<void> {
  for (let from = 0; from < bytes.length;) {
    const written = await write(bytes, from, position + from)
    if (written === 0) throw Object.assign(new Error('nothing more could be written'), { code: 'EIO' })
    from += written
  }
}

export const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code
