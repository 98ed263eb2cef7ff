import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { expectWithin } from './budget.ts'

const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n').filter(Boolean)

it('has few folders and files at the top', () => {
  expect(tracked.length).toBeGreaterThan(500)
  const folders = tracked
    .filter((file) => file.includes('/') && !file.startsWith('.'))
    .map((file) => file.split('/')[0])
  expectWithin('folders at the top', new Set(folders).size, 11)
  expectWithin('files at the top', tracked.filter((file) => !file.includes('/')).length, 20)
})
