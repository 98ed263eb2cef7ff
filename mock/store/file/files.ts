/**
 * What the file store needs of a file system. Tests give it one that fails, or that forgets. Only `find` follows links;
 * the others refuse what is not a regular file, before they touch it.
 */
export interface Files {
  /** The path of the file itself, behind any links, whether or not it exists yet. */
  find(path: string): Promise<string>
  /** Opens a file to be read from its beginning. Undefined when there is none. */
  open(path: string): Promise<FileToRead | undefined>
  /** Differs after the file was written to or replaced. Undefined when there is none. */
  stampOf(path: string): Promise<string | undefined>
  /** The names in a folder. */
  list(folder: string): Promise<readonly string[]>
  /** Creates a file; fails if it exists. */
  create(path: string): Promise<OpenFile>
  /** Opens a file that exists, to change it. */
  reopen(path: string): Promise<OpenFile>
  rename(from: string, to: string): Promise<void>
  /** Keeps what the path names under another name too; fails if that name is taken. */
  keepAs(path: string, other: string): Promise<void>
  /** Does nothing if there is none. */
  remove(path: string): Promise<void>
  /** Makes safe what was created, renamed and removed in the folder. */
  syncFolder(folder: string): Promise<void>
}

export interface FileToRead {
  /** As `stampOf` it, when it was opened. */
  readonly stamp: string
  /** The next bytes, at most so many. None at the end. */
  read(atMost: number): Promise<Buffer>
  close(): Promise<void>
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

/** The file in pieces of at most so many bytes. */
export async function* piecesOf(file: FileToRead, atMost: number): AsyncGenerator<Buffer> {
  for (let piece = await file.read(atMost); piece.length > 0; piece = await file.read(atMost)) yield piece
}

export const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code
