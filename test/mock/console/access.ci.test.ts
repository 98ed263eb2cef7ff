import { expect, it } from 'vitest'
import { openConsole, openPage, paths, settle } from './browser.ts'
import { postAs } from '../../for-one-test.ts'

it('asks once for the control token, says that a wrong one is wrong, and keeps it in the tab', async () => {
  const { page, base } = await openConsole({ world: 'two-teams', controlToken: 'right-control-token' })
  const dialog = page.getByRole('dialog', { name: 'Control token' })
  await dialog.getByLabel('Token').fill('wrong-control-token')
  await page.keyboard.press('Enter')
  await dialog.getByRole('alert').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await dialog.getByLabel('Token').fill('right-control-token')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  expect(await dialog.count()).toBe(0)
  expect(page.url()).not.toContain('token')
  expect(await page.evaluate(() => JSON.stringify([localStorage, document.cookie]))).not.toContain('token')

  const other = await openPage(base)
  await other.page.goto(page.url())
  await other.page.getByRole('dialog', { name: 'Control token' }).waitFor()
})

it('requests nothing of another team than the shown one', async () => {
  const { page, sandbox, base } = await openConsole({ world: 'two-teams', path: null })
  const [hidden, shown] = await sandbox.teams()
  if (!hidden || !shown) throw new Error('The world has no two teams')
  await page.goto(`${base}/console/${hidden._id}/requests`)
  await settle(page)
  await page.getByText('Live', { exact: true }).waitFor()
  const sent: string[] = []
  const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith(`/events?team=${hidden._id}`))
  await page.locator('.team select').selectOption(shown._id)
  await ended
  await page.waitForURL(`**/console/${shown._id}/requests`)
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    sent.push(`${pathname}${search} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`)
  })
  await fetch(`${base}/api/contacts`, postAs(hidden.apiKeys[0] ?? '', '{"firstName":"Ada","email":"ada@example.com"}'))
  // A new page would end what a former one has left behind.
  for (const path of paths) {
    await page.locator(`nav a[href="/console/${shown._id}${path && `/${path}`}"]`).click()
    await settle(page)
  }
  expect(sent.length).toBeGreaterThan(paths.length)
  const names = new RegExp(`\\b(?:${[hidden._id, ...hidden.apiKeys].join('|')})\\b`)
  expect(sent.filter((request) => names.test(request))).toEqual([])
})

it('says in an address of a deleted team that there is none', async () => {
  const { page, sandbox, base } = await openConsole({ world: 'two-teams', path: null })
  const [team] = await sandbox.teams()
  await page.goto(`${base}/console/${team?._id ?? ''}/requests`)
  await settle(page)
  await sandbox.teams.delete(team?._id ?? '')
  await page.getByText('or it was deleted').waitFor()
})

it('says in a browser without JavaScript that it needs JavaScript', async () => {
  const { page } = await openConsole({ context: { javaScriptEnabled: false } })
  await page.getByText('needs a current browser').waitFor()
})

it('says in an old browser that it needs a current one', async () => {
  const { page, base } = await openConsole({ path: null })
  await page.addInitScript(() => {
    CSS.supports = () => false
  })
  await page.goto(`${base}/console`)
  await page.getByText('needs a current browser').waitFor()
})
