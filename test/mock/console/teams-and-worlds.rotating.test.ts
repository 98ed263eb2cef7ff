import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { loadWorld } from '../../../fixtures/load-world.ts'
import { openConsole } from './browser.ts'

const rowOf = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) })
const tileOf = (page: Page, world: string) => page.getByRole('listitem').filter({ hasText: world })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const countOf = (page: Page, kind: string, count: number) =>
  page
    .locator('.counts > div')
    .filter({ hasText: kind })
    .filter({ hasText: String(count) })
    .waitFor()
const fileOf = (world: string, name: string) => ({ name, mimeType: 'application/json', buffer: Buffer.from(world) })

describe('the overview', () => {
  it('has a line for a terminal that works, and shows its request and its record at once', async () => {
    const { page } = await openConsole({ world: 'two-teams', path: '/console/acme' })
    const line = page.locator('pre', { hasText: 'x-api-key: acme-key' })
    const { stdout } = await promisify(execFile)('sh', ['-c', await line.innerText()])
    expect(JSON.parse(stdout)).toMatchObject({ success: true, message: 'Contact created' })
    await page.getByRole('link', { name: 'createContact' }).waitFor()
    await countOf(page, 'contacts', 3)
  })
})

describe('the teams', () => {
  it('deletes a team once the user has read what will be lost', async () => {
    const { page, sandbox } = await openConsole({ world: 'two-teams', path: '/console/acme/teams' })
    await rowOf(page, 'Acme').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Its API keys and its records will be lost: 2 contacts,').waitFor()
    await button(page, 'Cancel').click()
    expect(await sandbox.teams.list()).toHaveLength(2)
    await rowOf(page, 'Acme').getByRole('button', { name: 'Delete' }).click()
    await button(page, 'Delete the team Acme').click()
    await page.waitForURL('**/console/globex/teams')
    expect(await sandbox.teams.list()).toEqual([{ teamId: 'globex', name: 'Globex' }])
  })

  it('keep the page when the user chooses another team', async () => {
    const { page } = await openConsole({ world: 'two-teams', path: '/console/acme/contacts' })
    await page.getByRole('banner').getByLabel('Team').selectOption('Globex')
    await page.waitForURL('**/console/globex/contacts')
  })

  it('with one name differ by their ids', async () => {
    const { page, sandbox } = await openConsole({ path: null })
    const create = async () => (await sandbox.teams.create({ name: 'Twins' })).teamId
    const [one, other] = [await create(), await create()]
    await page.goto(`${sandbox.url}/console/${one}/teams`)
    const choices = page.getByRole('combobox', { name: 'Starts with' }).getByRole('option')
    await choices.filter({ hasText: `Twins (${one})` }).waitFor({ state: 'attached' })
    await page.getByRole('row').filter({ hasText: other }).getByRole('button', { name: 'Delete' }).click()
    await button(page, `Delete the team Twins (${other})`).click()
    await expect.poll(() => sandbox.teams.list()).toHaveLength(2)
  })

  it('keep a long name within the notice and the question', async () => {
    const { page } = await openConsole({ world: 'two-teams', path: '/console/acme/teams' })
    const name = 'W'.repeat(200)
    await page.getByRole('textbox', { name: 'Name' }).fill(name)
    await button(page, 'Create the team').click()
    const notice = page.getByRole('status').filter({ hasText: 'Created the team' })
    await notice.waitFor()
    expect(await notice.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
    await rowOf(page, name.slice(0, 50)).getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    expect(await dialog.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
  })

  it('can be created where there is none, as a story', async () => {
    const { page, sandbox } = await openConsole({ world: { teams: [] }, path: '/console/-/teams' })
    await page.getByRole('textbox', { name: 'API key' }).fill('a b')
    await button(page, 'Create the team').click()
    await page.getByText('apiKey must be 8 to 200 characters').waitFor()
    expect(await sandbox.teams.list()).toEqual([])
    await page.getByRole('textbox', { name: 'API key' }).fill('demo-of-today')
    await page.getByRole('combobox', { name: 'Starts with' }).selectOption('story:shop')
    await button(page, 'Create the team').click()
    await page.getByText('demo-of-today', { exact: true }).waitFor()
    await countOf(page, 'messages', 99)
  })
})

describe('the worlds', () => {
  it('says what is wrong with a file, which changes nothing', async () => {
    const { page, sandbox } = await openConsole({ world: 'two-teams', path: '/console/acme/worlds' })
    await page.getByText('JSON of at most 32 MiB').waitFor()
    const contacts = [{ _id: '<img src=x onerror=alert(1)>' }]
    const bad = { teams: [{ _id: 'x', name: 'X', apiKeys: [], contacts }] }
    for (const [name, content, fault] of [
      ['bad.json', JSON.stringify(bad), '("<img src=x onerror=alert(1)>"): firstName is required'],
      ['cut.json', '{', 'cut.json is not JSON'],
      ['cut.yaml', 'teams:\n  - _id: initech\n    name: [', /cut.yaml is not YAML \(line 3\): /],
      ['large.json', ' '.repeat(32 * 1024 * 1024 + 1), 'large.json is larger than 32 MiB'],
    ] as const) {
      await page.getByLabel('World file').setInputFiles(fileOf(content, name))
      // A large one is not even read.
      if (name !== 'large.json') await button(page, 'Add its teams').click()
      await page.getByRole('alert').getByRole('listitem').filter({ hasText: fault }).waitFor()
    }
    expect(await button(page, 'Add its teams').isDisabled()).toBe(true)
    expect(await sandbox.teams.list()).toHaveLength(2)
  })

  it('adds the teams of a YAML file', async () => {
    const { page, sandbox } = await openConsole({ world: 'two-teams', path: '/console/acme/worlds' })
    await page.getByLabel('World file').setInputFiles(fileOf(stringify(await loadWorld('empty')), 'world.yaml'))
    await button(page, 'Add its teams').click()
    await page.waitForURL('**/console/demo')
    expect((await sandbox.teams.list()).map(({ teamId }) => teamId)).toEqual(['acme', 'globex', 'demo'])
  })

  it('replaces everything with a story, once the user has read which teams will be lost', async () => {
    const { page, sandbox } = await openConsole({ world: 'two-teams', path: '/console/acme/worlds' })
    await tileOf(page, 'story:shop').getByRole('button', { name: 'Replace everything' }).click()
    await page.getByText('All present teams will be lost, with their keys and records: Acme, Globex.').waitFor()
    await button(page, 'Replace everything with story:shop').click()
    await page.waitForURL('**/console/towpath')
    expect((await sandbox.teams.list()).map(({ teamId }) => teamId)).toEqual(['towpath'])
  })

  it('adds the teams of a world, and downloads one that can be uploaded again', async () => {
    const { page, sandbox } = await openConsole({ world: 'demo', path: '/console/demo/worlds' })
    await tileOf(page, 'two-teams').getByRole('button', { name: 'Add as 2 new teams' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    expect((await sandbox.teams.list()).map(({ name }) => name)).toEqual(['Analytical Engines', 'Acme', 'Globex'])
    await page.goto(`${sandbox.url}/console/demo/worlds`)
    const started = page.waitForEvent('download')
    await button(page, 'The team Analytical Engines').click()
    const download = await started
    expect(download.suggestedFilename()).toBe('demo.json')
    await sandbox.teams.delete('demo')
    await page.getByLabel('World file').setInputFiles(await download.path())
    await button(page, 'Add its teams').click()
    await page.waitForURL('**/console/demo')
    expect((await sandbox.records('demo', 'contacts')).total).toBeGreaterThan(0)
  })
})
