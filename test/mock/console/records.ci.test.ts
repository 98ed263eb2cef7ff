import { expect, it } from 'vitest'
import { loadWorld } from '../../../fixtures/load-world.ts'
import type { World } from '../../../fixtures/world.ts'
import { document } from '../../../spec/document.ts'
import { openConsole } from './browser.ts'
import { postAs } from '../../for-one-test.ts'

it('shows the newest record first', async () => {
  const { page, sandbox, base } = await openConsole({ path: null })
  const { teams, fetch } = sandbox
  const { apiKeys } = await teams.get('demo')
  await fetch('/api/companies/create', postAs(apiKeys[0] ?? '', { name: 'The newest company' }))
  await page.goto(`${base}/console/demo/companies`)
  const first = page.locator('tbody tr').first()
  await first.waitFor()
  expect(await first.innerText()).toContain('The newest company')
})

it('creates, searches, edits and deletes a contact with the operations of the API', async () => {
  const { page, base } = await openConsole({ path: '/console/demo/contacts?create=1' })
  await page.getByLabel('First name').fill('<script>window.ran = 1</script>')
  await page.getByLabel('Last name').fill('Zuse')
  await page.getByRole('button', { name: 'Create the contact' }).click()
  await page.getByRole('heading', { name: '<script>window.ran = 1</script> Zuse', level: 1 }).waitFor()
  const address = page.url()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('E-mail').fill('no address')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('400: ').waitFor()
  await page.goto(`${base}/console/demo/contacts?search=ZUSE&sort=-lastName`)
  await page.getByText('1 to 1 of 1').waitFor()
  await page.getByRole('link', { name: 'script' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Its conversations with all their messages will be lost too.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Deleted the contact').waitFor()
  await page.goto(address)
  await page.getByText('or it was deleted meanwhile').waitFor()
  expect(await page.evaluate('window.ran')).toBeUndefined()
})

it('asks for the fields of the document: the required ones, and the values of a list', async () => {
  const { page, base } = await openConsole({ path: '/console/demo/products?create=1' })
  const { ProductToCreate, BillingFrequency } = document.components.schemas
  await page.getByLabel('Billing').waitFor()
  const options = await page.getByLabel('Billing').locator('option').allTextContents()
  expect(options.slice(1)).toEqual(BillingFrequency?.enum)
  expect(await page.locator('label', { hasText: '(required)' }).count()).toBe(ProductToCreate?.required?.length)
  expect(await page.getByLabel('Currency').count()).toBe(0)

  await page.goto(`${base}/console/demo/templates?create=1`)
  await page.getByLabel('Channel (required)').waitFor()
  const required = await page.locator('label', { hasText: '(required)' }).locator('span').allTextContents()
  expect(required.map((label) => label.replace(' (required)', ''))).toEqual([
    'Channel',
    'Name',
    'Unique name',
    'Content',
    'Provider',
  ])
})

it('names the records that a record is related to, and starts a conversation that is missing', async () => {
  const { page, sandbox, base } = await openConsole({ world: 'story:shop', path: '/console/towpath/quotes' })
  await page.getByRole('link', { name: 'Cycling week for' }).click()
  await page.getByText('Related').waitFor()
  const id = /[0-9a-f]{24}/
  const { records } = await sandbox.records('towpath', 'deals', { limit: 1 })
  await page.goto(`${base}/console/towpath/contacts/${String(records[0]?.contactId)}`)
  const related = page.locator('section', { hasText: 'Related' })
  await related.getByText('Conversations', { exact: true }).waitFor()
  expect(await related.textContent()).not.toMatch(id)
  await page.goto(`${base}/console/towpath/quotes`)
  await page.getByRole('link', { name: 'Cycling week for' }).waitFor()
  expect(await page.locator('main').textContent()).not.toMatch(id)

  await page.goto(`${base}/console/towpath/contacts?create=1`)
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Last name').fill('Byron')
  await page.getByLabel('E-mail').fill('ada.byron@example.com')
  await page.getByRole('button', { name: 'Create the contact' }).click()
  await page.getByRole('button', { name: 'Start a conversation' }).click()
  await page.getByText('No message yet. Write the first one below.').waitFor()
  await page.getByRole('heading', { name: 'Ada Byron' }).first().waitFor()
})

it('updates a template without a change of its channel', async () => {
  const { page, sandbox, base } = await openConsole({ path: null })
  const [template] = (await sandbox.records('demo', 'templates', { where: { templateType: 'email' } })).records
  await page.goto(`${base}/console/demo/templates/${String(template?._id)}?edit=1`)
  await page.getByRole('textbox', { name: 'Name' }).fill('Other name')
  expect(await page.getByLabel('Channel').count()).toBe(0)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Other name', level: 1 }).waitFor()
})

it('moves a deal to another stage of its pipeline on the board', async () => {
  const { page, sandbox, base } = await openConsole({ world: 'story:shop', path: null })
  const [team] = await sandbox.teams()
  const teamId = team?._id ?? ''
  const [deal] = (await sandbox.records(teamId, 'deals', { where: { stage: 'quoted' }, limit: 1 })).records
  await page.goto(`${base}/console/${teamId}/deals?view=board`)
  await page
    .getByLabel(`Stage of ${String(deal?.name)}`)
    .first()
    .selectOption('won')
  await page.getByText('Moved to won').waitFor()
  const { records } = await sandbox.records(teamId, 'deals', { where: { _id: String(deal?._id) } })
  expect(records).toMatchObject([{ stage: 'won' }])
})

it('moves a deal when its card is dragged to another stage, but not to another pipeline', async () => {
  const { teams } = await loadWorld('two-teams')
  const [acme] = teams
  const pipelines = ['sales', 'service'].map((_id) => ({ _id, stages: ['new', 'won'] }))
  const deal = { _id: 'd1', name: 'Ten engines', pipeline: 'sales', stage: 'new' }
  const world = { teams: [{ ...acme, pipelines, deals: [deal], quotes: [] }] } as World
  const { page, sandbox } = await openConsole({ world, path: '/console/acme/deals?view=board' })
  const card = page.getByRole('listitem').filter({ hasText: 'Ten engines' })
  const stageOf = (pipeline: string) =>
    page.getByRole('group', { name: pipeline }).locator('.stage', { has: page.getByRole('heading', { name: 'won' }) })
  for (const pipeline of ['service', 'sales']) await card.dragTo(stageOf(pipeline), { sourcePosition: { x: 4, y: 4 } })
  await stageOf('sales').getByText('Ten engines').waitFor()
  expect((await sandbox.records('acme', 'deals')).records).toMatchObject([{ pipeline: 'sales', stage: 'won' }])
  const updates = await sandbox.requests.count({ operation: 'updateDeal' })
  expect(updates).toBe(1)
})

it('says that a record was deleted meanwhile', async () => {
  const { page, sandbox, base } = await openConsole({ path: null })
  const [product] = (await sandbox.records('demo', 'products', { limit: 1 })).records
  const id = String(product?._id)
  await page.goto(`${base}/console/demo/products/${id}`)
  await page.getByRole('button', { name: 'Edit' }).waitFor()
  await fetch(`${base}/api/products/${id}`, { method: 'DELETE', headers: { 'x-api-key': 'demo-key' } })
  await page.getByText('or it was deleted meanwhile').waitFor()
})

it('rejects a WhatsApp template with a reason', async () => {
  const { page, sandbox, base } = await openConsole({ path: null })
  const [template] = (await sandbox.records('demo', 'templates', { where: { status: 'pending' }, limit: 1 })).records
  await page.goto(`${base}/console/demo/templates/${String(template?._id)}`)
  await page.getByLabel('Reason of a rejection').fill('Too long')
  await page.getByRole('button', { name: 'Reject' }).click()
  await page.getByText('Rejected because: Too long').waitFor()
})
