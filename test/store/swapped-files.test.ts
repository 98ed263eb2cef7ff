import { execFileSync } from 'node:child_process'
import { constants } from 'node:fs'
import type * as promises from 'node:fs/promises'
import { symlink, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { openRegular } from '../../mock/store/file/regular-file.ts'
import { newFolder } from './harness.ts'

const afterLook = vi.hoisted(() => ({ swap: async (): Promise<void> => undefined }))

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof promises>()
  const lstat = async (path: string, options: { bigint: true }) => {
    const status = await real.lstat(path, options)
    await afterLook.swap()
    return status
  }
  return { ...real, lstat }
})

it.each<[string, RegExp, (path: string, other: string) => unknown]>([
  ['a link', /ELOOP/, (path, other) => symlink(other, path)],
  ['a named pipe', /was replaced while it was opened/, (path) => execFileSync('mkfifo', [path])],
  ['another file', /was replaced while it was opened/, (path) => writeFile(path, '')],
])('a file that %s replaces between the look and the open is refused', async (_, reason, make) => {
  const folder = await newFolder()
  const [path, other] = [join(folder, 'crm.json'), join(folder, 'other')]
  for (const file of [path, other]) await writeFile(file, '')
  afterLook.swap = async () => {
    await unlink(path)
    await writeFile(join(folder, 'holds the number of the old one'), '')
    await make(path, other)
  }
  await expect(openRegular(path, constants.O_RDONLY)).rejects.toThrow(reason)
})
