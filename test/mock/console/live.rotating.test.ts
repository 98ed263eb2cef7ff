import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSandbox } from '../../../index.ts'
import { inTier } from '../../tier.ts'
import { openConsole, settle } from './browser.ts'
import { postAs } from '../../for-one-test.ts'

interface Entry {
  readonly response: { readonly status: number }
}

const isLive = (page: Page) => page.getByText('Live', { exact: true }).waitFor()

describe('the requests', () => {
  it('appear when they come', async () => {
    const { page, base } = await openRequests()
    await fetch(`${base}/api/contacts`, refusedRequest)
    await page.getByRole('link', { name: 'createContact' }).click()
    await page.getByText('Promise contact.createRequires').waitFor()
  })

  it('show a wrong path, a wrong key and a missing field, each with its message and its hint', async () => {
    const { page, base } = await openConsole({ world: 'two-teams', path: '/console/acme/requests' })
    await settle(page)
    await isLive(page)
    const of = (key: string) => ({ ...refusedRequest, headers: { ...refusedRequest.headers, 'x-api-key': key } })
    await fetch(`${base}/api/contact`, of('acme-key'))
    await fetch(`${base}/api/contacts`, of('no-key-of-a-team'))
    await fetch(`${base}/api/contacts`, of('globex-key'))
    await fetch(`${base}/api/contacts`, of('acme-key'))
    const said = (words: string) => page.getByRole('row').filter({ hasText: words })
    await said('firstName is required (contact.createRequires, firstName)').waitFor()
    await said('no such path; did you mean POST /api/contacts').waitFor()
    await said('no team has this x-api-key').waitFor()
    expect(await page.getByRole('row').count()).toBe(1 + 3)
    expect(await page.locator('td time').first().textContent()).toMatch(/:\d\d:\d\d/)
    await page.setViewportSize({ width: 390, height: 844 })
    const cut = await page
      .locator('td .clip')
      .evaluateAll((all) =>
        all.filter((one) => one.scrollHeight > one.clientHeight || one.clientWidth < 150).map((one) => one.textContent),
      )
    expect(cut).toEqual([])
    const started = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download as HAR' }).click()
    const { log } = JSON.parse(await readFile(await (await started).path(), 'utf8')) as { log: { entries: Entry[] } }
    expect(log.entries.map(({ response }) => response.status)).toEqual([404, 401, 400])
    await page.getByRole('checkbox', { name: 'All teams' }).check()
    // So narrow, the table has no row of titles.
    await expect.poll(() => page.getByRole('row').count()).toBe(4)
    await said('no team has this').getByRole('link').click()
    await page.getByText('no team has this x-api-key').first().waitFor()
  })

  it('take no more memory however many come', async () => {
    const { page, base } = await openRequests()
    const session = await page.context().newCDPSession(page)
    await send(base, 500)
    const before = await heap()
    await send(base, inTier({ test: 1_000, nightly: 10_000 }))
    expect((await heap()) - before).toBeLessThan(4)

    /** In megabytes, after garbage was collected. */
    async function heap(): Promise<number> {
      await page.waitForTimeout(1_000)
      await session.send('HeapProfiler.collectGarbage')
      const { usedSize } = await session.send('Runtime.getHeapUsage')
      return usedSize / 1e6
    }
  })
})

it('says that the connection was lost, and follows the changes again', async () => {
  const { page, base } = await openConsole({ path: null })
  await page.addInitScript(cutStreams)
  await page.goto(`${base}/console/demo/requests`)
  await isLive(page)
  for (let cuts = 0; cuts < 3; cuts++) {
    await page.getByText('Connection lost').waitFor()
    await isLive(page)
  }
  await fetch(`${base}/api/contacts`, refusedRequest)
  await page.getByRole('link', { name: 'createContact' }).waitFor()
})

it('says that the sandbox went away, and works again with the next sandbox on its port', async () => {
  const { page, sandbox, base, faults } = await openRequests()
  await sandbox.close()
  await page.getByText('Connection lost').waitFor()
  await page.getByText('The sandbox does not answer. Is it still running?').waitFor()
  const next = await createSandbox({ port: Number(new URL(base).port) })
  onTestFinished(() => next.close())
  await isLive(page)
  await fetch(`${base}/api/contacts`, refusedRequest)
  await page.getByRole('link', { name: 'createContact' }).waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  expect(faults.splice(0).filter((fault) => !fault.includes('net::ERR_'))).toEqual([])
})

async function openRequests() {
  const opened = await openConsole({ path: '/console/demo/requests' })
  await settle(opened.page)
  await isLive(opened.page)
  return opened
}

const refusedRequest = postAs('demo-key', '{"lastName":"Lovelace"}')

async function send(base: string, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += 50)
    await Promise.all(Array.from({ length: 50 }, () => fetch(`${base}/api/contacts`, refusedRequest)))
}

/** In the page: breaks each stream of events after a second. */
function cutStreams(): void {
  const { fetch } = globalThis
  globalThis.fetch = (input, init) => {
    if (!(input instanceof URL) || !input.pathname.endsWith('/events')) return fetch(input, init)
    return fetch(input, { ...init, signal: AbortSignal.timeout(1_000) })
  }
}
