import { expect, it } from 'vitest'
import { openConsole } from './browser.ts'
import { settle } from './page-paths.ts'

it('is used by keyboard from the list to a record and back', async () => {
  const { page, base } = await openConsole({ path: '/console/demo/requests' })
  for (const body of ['{}', '{"firstName":"Ada"}'])
    await fetch(`${base}/api/contacts`, {
      method: 'POST',
      headers: { 'x-api-key': 'demo-key', 'content-type': 'application/json' },
      body,
    })
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
