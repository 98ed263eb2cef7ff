/** What the file store asks of a file system. A test gives it one that fails, or that forgets. */
export interface Files {
  /** The path of the file itself, wherever links lead, whether or not it is there yet. */
  find(path: string): Promise<string>
  /** Undefined when there is none. */
  read(path: string): Promise<Buffer | undefined>
  /** The names in a folder. */
  list(folder: string): Promise<readonly string[]>
  /** A file that must not be there yet. */
  create(path: string): Promise<OpenFile>
  /** A file that holds nothing, or no longer. */
  empty(path: string): Promise<OpenFile>
  rename(from: string, to: string): Promise<void>
  /** It is fine if there is none. */
  remove(path: string): Promise<void>
  /** Makes safe which names the folder holds: what was created, renamed and removed in it. */
  syncFolder(folder: string): Promise<void>
}

export interface OpenFile {
  /** Answers how many of the bytes were written: it may be fewer. */
  write(bytes: Buffer, from: number, position: number): Promise<number>
  /** Makes safe what was written. */
  sync(): Promise<void>
  truncate(length: number): Promise<void>
  close(): Promise<void>
}

export async function writeWhole(file: OpenFile, bytes: Buffer, position: number): Promise<void> {
  for (let from = 0; from < bytes.length;) {
    const written = await file.write(bytes, from, position + from)
    if (written === 0) throw Object.assign(new Error('nothing more could be written'), { code: 'EIO' })
    from += written
  }
}

export const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code
