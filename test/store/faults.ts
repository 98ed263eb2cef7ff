import type { Files, FileToRead, OpenFile } from '../../mock/store/file/files.ts'

type Call = () => Promise<unknown>

/** Takes the place of a call. It may make the call all the same, or a part of it if it is a write. */
export type Fault = (call: Call, part: Call | undefined) => Promise<unknown>

/** Files that count their calls; `faultAt` says which of them go wrong. */
export function withFaults(files: Files, faultAt: (call: number) => Fault | undefined) {
  const log = { calls: 0 }
  const through = <Result>(call: () => Promise<Result>, part?: Call): Promise<Result> => {
    const fault = faultAt(log.calls++)
    return fault ? (fault(call, part) as Promise<Result>) : call()
  }
  const opened = (file: OpenFile): OpenFile => {
    const write: OpenFile['write'] = (bytes, from, position) =>
      through(
        () => file.write(bytes, from, position),
        () => file.write(bytes.subarray(0, Math.ceil((from + bytes.length) / 2)), from, position),
      )
    const sync = () => through(() => file.sync())
    return {
      write,
      // Two calls, so that something can go wrong between them.
      async writeSafely(...part) {
        const written = await write(...part)
        await sync()
        return written
      },
      sync,
      truncate: (length) => through(() => file.truncate(length)),
      close: () => through(() => file.close()),
    }
  }
  const toRead = (file: FileToRead | undefined): FileToRead | undefined =>
    file && {
      stamp: file.stamp,
      read: (atMost) => through(() => file.read(atMost)),
      close: () => through(() => file.close()),
    }
  const faulty: Files = {
    find: (path) => through(() => files.find(path)),
    open: (path) => through(async () => toRead(await files.open(path))),
    stampOf: (path) => through(() => files.stampOf(path)),
    list: (folder) => through(() => files.list(folder)),
    create: (path) => through(async () => opened(await files.create(path))),
    reopen: (path) => through(async () => opened(await files.reopen(path))),
    rename: (from, to) => through(() => files.rename(from, to)),
    keepAs: (path, other) => through(() => files.keepAs(path, other)),
    remove: (path) => through(() => files.remove(path)),
    syncFolder: (folder) => through(() => files.syncFolder(folder)),
  }
  return { files: faulty, log }
}

export const failure = (code: string) => Object.assign(new Error(`${code}: on purpose`), { code })
