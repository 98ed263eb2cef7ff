import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PackedPackage } from '../docs/packed-package.ts'
import { expectWithin } from './budget.ts'

// The package installed by npm in an empty folder, as a new user does.

let installed: PackedPackage
let packages: readonly Installed[]
beforeAll(() => {
  installed = new PackedPackage()
  installed.install()
  packages = installedIn(installed.folder)
})
afterAll(() => installed[Symbol.dispose]())

it('has a small tarball', () => expectWithin('MB of the tarball', megabytes(statSync(installed.tarball).size), 1.7))

it('needs few packages, which are small', () => {
  const required = packages.filter(({ optional = false }) => !optional)
  expectWithin('packages of an installation without the optional ones', required.length, 85)
  expectWithin('MB of an installation without the optional packages', megabytes(sizeOf(required)), 40)
})

it('is small with the optional packages as well', () => {
  expect(packages.map(({ path }) => path)).toContain('node_modules/vitest')
  expectWithin('packages of an installation', packages.length, 152)
  expectWithin('MB of an installation', megabytes(sizeOf(packages)), 80)
})

it('brings nothing that runs while it is installed', () => {
  const scripted = packages.filter(({ hasInstallScript = false, optional = false }) => hasInstallScript && !optional)
  expect(scripted.map(({ path }) => path)).toEqual([])
})

interface Installed {
  readonly path: string
  readonly folder: string
  readonly optional?: boolean
  readonly hasInstallScript?: boolean
}

/** The lockfile also names packages for other systems, which are not in the folder. */
function installedIn(folder: string): readonly Installed[] {
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, object>>
  }
  return Object.entries(lock.packages)
    .map(([path, entry]) => ({ path, folder: join(folder, path), ...entry }))
    .filter(({ path, folder }) => path !== '' && existsSync(folder))
}

const megabytes = (bytes: number) => Math.round((bytes / 2 ** 20) * 10) / 10

const sizeOf = (packages: readonly Installed[]) =>
  packages.reduce((total, { folder }) => total + bytesOnDisk(folder), 0)

/** As `du` counts on a disk with blocks of 4 KiB, without the packages in a package. */
function bytesOnDisk(folder: string): number {
  const block = 4096
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .map((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? bytesOnDisk(path) : Math.ceil(statSync(path).size / block) * block
    })
    .reduce((total, size) => total + size, block)
}
