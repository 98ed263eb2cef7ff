import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { expect, it, onTestFinished } from 'vitest'
import { namedStores } from '../store/helpers.ts'
import { openPage, settle } from './browser.ts'
import { startSandbox, postAs } from '../../for-one-test.ts'

const places = [
  { on: 'the file store', store: 'file', replicas: 1 },
  { on: 'PostgreSQL', store: 'PostgreSQL', replicas: 1 },
  { on: 'two replicas on one PostgreSQL behind a proxy', store: 'PostgreSQL', replicas: 2 },
].flatMap(({ store: name, ...place }) =>
  namedStores.filter(({ store }) => store === name).map((found) => ({ ...place, place: found.place })),
)

it.each(places)('shows and changes records, live, on $on', async ({ place, replicas }) => {
  const store = await place()
  const urls: string[] = []
  for (let opened = 0; opened < replicas; opened++) {
    const sandbox = await startSandbox({ port: 0, world: 'two-teams', store })
    urls.push(sandbox.url)
  }
  const base = urls.length === 1 ? String(urls[0]) : await openProxy(urls)
  const { page } = await openPage(base)
  await page.goto(`${base}/console/acme`)
  await settle(page)
  await page.getByText('Live', { exact: true }).waitFor()
  await page.getByText('x-api-key: acme-key').waitFor()

  const message = { channel: 'sms', providerId: 'sms-provider', to: '+14155550123', content: 'Your order has left' }
  const sent = await fetch(`${base}/api/messages/sendBulkNewMessages`, postAs('acme-key', message))
  expect(sent.status).toBe(200)
  await page.getByRole('link', { name: 'Inbox', exact: true }).click()
  await page.locator('.conversations').getByText('Your order has left').click()
  await page.getByRole('log').getByText('Your order has left').waitFor()
  await page.getByLabel('What the customer writes').fill('It is here')
  await page.getByRole('button', { name: 'Write as the customer' }).click()
  await page.getByRole('log').getByText('It is here').waitFor()

  await page.getByRole('complementary').getByRole('link').first().click()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Last name').fill('Of the console')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Of the console' }).waitFor()
  const contactId = page.url().split('/').at(-1) ?? ''
  const renamed = postAs('acme-key', { lastName: 'Of the API' })
  await fetch(`${base}/api/contacts/${contactId}`, { ...renamed, method: 'PUT' })
  await page.getByRole('heading', { name: 'Of the API' }).waitFor()

  await page.locator('.team select').selectOption('globex')
  await page.waitForURL('**/console/globex/contacts')
  await settle(page)
  expect(await page.locator('main').textContent()).not.toContain('Of the API')
})

it.each(places.filter(({ replicas }) => replicas > 1))(
  'shows the requests to all servers, on $on',
  async ({ place }) => {
    const store = await place()
    const urls: string[] = []
    for (let opened = 0; opened < 2; opened++)
      urls.push((await startSandbox({ port: 0, world: 'two-teams', store })).url)
    const create = (url: string, name: string) =>
      fetch(`${url}/api/products`, postAs('acme-key', { name, unitPrice: 1 }))
    const base = await openProxy(urls)
    await create(String(urls[0]), 'Before')
    await create(String(urls[1]), 'Before')
    const { page } = await openPage(base)
    await page.goto(`${base}/console/acme/requests`)
    const rowsOf = (url: string) => page.getByRole('row').filter({ hasText: `${hostname()}:${new URL(url).port}` })
    for (const url of urls) await rowsOf(url).waitFor()
    await create(String(urls[0]), 'After')
    await create(String(urls[1]), 'After')
    for (const url of urls) await expect.poll(() => rowsOf(url).count()).toBe(2)
    await rowsOf(String(urls[1])).first().getByRole('link').click()
    await page.getByText('Server', { exact: true }).waitFor()
  },
)

/** A proxy that sends each request to the next of these origins. */
async function openProxy(origins: readonly string[]): Promise<string> {
  let requests = 0
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url } = incoming
    const target = new URL(url ?? '/', origins[requests++ % origins.length])
    const passed = request(target, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    passed.on('error', () => outgoing.destroy())
    outgoing.on('close', () => passed.destroy())
    incoming.pipe(passed)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
