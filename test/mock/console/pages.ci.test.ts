import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { inTier, sampleOf } from '../../tier.ts'
import { openConsole, paths, settle } from './browser.ts'
import { postAs } from '../../for-one-test.ts'

/** Where the screenshots go. */
const folder = 'coverage/console'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const looks = inTier({
  test: [{ width: 1280, colorScheme: 'light' }] as const,
  ci: [
    { width: 1280, colorScheme: 'light' },
    { width: 1280, colorScheme: 'dark' },
    { width: 390, colorScheme: 'light' },
    { width: 390, colorScheme: 'dark' },
  ] as const,
})

describe('a page for the story of a shop', () => {
  it.each(sampleOf(paths, inTier({ test: 3, ci: paths.length / 2, nightly: paths.length })))(
    'is accessible and fits, light and dark, wide and narrow: %s',
    async (path) => {
      const { page, sandbox, base } = await openConsole({ world: 'story:shop', path: null })
      const [team] = await sandbox.teams()
      if (!team) throw new Error('The story has no team')
      const asTeam = { headers: { 'x-api-key': team.apiKeys[0] ?? '', 'content-type': 'application/json' } }
      await fetch(`${base}/api/contacts`, asTeam)
      await fetch(`${base}/api/contacts`, { ...asTeam, method: 'POST', body: '{"email":"no address"}' })
      const address = `${base}/console/${team._id}${path && `/${path}`}`
      await page.goto(address)
      await check(page, path || 'overview')
      const record = page.locator(`main a[href^="/console/${team._id}/${path}/"]`).first()
      if (path === '' || !(await record.isVisible())) return
      await page.goto(new URL((await record.getAttribute('href')) ?? '', base).href)
      await check(page, `${path}-one`)
    },
  )
})

async function check(page: Page, name: string): Promise<void> {
  await page.evaluate(axe)
  mkdirSync(folder, { recursive: true })
  await settle(page)
  for (const { width, colorScheme } of looks) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 800 })
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png` })
    const { scrollWidth, background, findings } = await page.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: Axe }
      const { violations } = await axe.run(document, { resultTypes: ['violations'] })
      const { backgroundColor: background } = getComputedStyle(document.body)
      return { scrollWidth: document.documentElement.scrollWidth, background, findings: violations }
    })
    expect.soft(background).toBe(colorScheme === 'dark' ? 'rgb(20, 22, 27)' : 'rgb(246, 247, 249)')
    const serious = findings.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    expect
      .soft(
        serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
        `${width} ${colorScheme}`,
      )
      .toEqual([])
    expect.soft(scrollWidth, `the width of the page at ${width}`).toBeLessThanOrEqual(width)
  }
}

interface Axe {
  run(
    on: Document,
    options: object,
  ): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>
}

it('is used by keyboard from the list to a record and back', async () => {
  const { page, base } = await openConsole({ path: '/console/demo/requests' })
  for (const body of ['{}', '{"firstName":"Ada"}']) await fetch(`${base}/api/contacts`, postAs('demo-key', body))
  const rows = page.locator('main tbody a')
  await expect.poll(() => rows.count()).toBe(2)
  await page.keyboard.press('Tab')
  expect(await focused()).toBe('Skip to the page')
  await page.keyboard.press('/')
  expect(await page.getByRole('searchbox').evaluate((one) => one === document.activeElement)).toBe(true)
  while (!(await rows.first().evaluate((one) => one === document.activeElement))) await page.keyboard.press('Tab')
  const { outlineStyle, outlineWidth } = await rows.first().evaluate((one) => getComputedStyle(one))
  expect([outlineStyle, outlineWidth]).toEqual(['solid', '2px'])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Sent' }).waitFor()
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
  await page.keyboard.press('Tab')
  expect(await focused()).toBe('Copy as curl')
  await page.goBack()
  await page.getByRole('heading', { name: 'Requests' }).waitFor()

  function focused() {
    return page.evaluate(() => document.activeElement?.textContent.trim())
  }
})

it.each(['inbox', 'contacts'])(
  'moves from the search of the page %s to the first row with an arrow key',
  async (name) => {
    const { page } = await openConsole({ world: 'demo', path: `/console/demo/${name}` })
    await settle(page)
    await page.keyboard.press('/')
    await page.keyboard.press('ArrowDown')
    const first = page.locator('.conversations li a, tbody td:first-child > a').first()
    expect(await first.evaluate((one) => one === document.activeElement)).toBe(true)
  },
)

it('returns the focus to the button of a dialog that was closed', async () => {
  const { page } = await openConsole({ path: '/console/demo/teams' })
  await settle(page)
  const button = page.getByRole('button', { name: /^Delete/ }).first()
  for (const close of [
    () => page.keyboard.press('Escape'),
    () => page.getByRole('button', { name: 'Cancel' }).click(),
  ]) {
    await button.press('Enter')
    await page.getByRole('dialog').waitFor()
    await close()
    await expect.poll(() => button.evaluate((one) => one === document.activeElement)).toBe(true)
  }
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => button.evaluate((one) => one === document.activeElement)).toBe(true)
})

it('moves nothing where the system asks for reduced motion', async () => {
  const { page } = await openConsole({ context: { reducedMotion: 'reduce' }, path: '/console/demo/requests' })
  await settle(page)
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
})
