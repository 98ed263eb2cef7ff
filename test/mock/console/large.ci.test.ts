import { expect, it } from 'vitest'
import type { World } from '../../../fixtures/world.ts'
import { twoTeams } from '../helpers.ts'
import { openConsole } from './browser.ts'
import { paths } from './browser.ts'

const count = 100_000

const crowded: World = {
  teams: [
    {
      ...twoTeams.teams[0],
      contacts: Array.from({ length: count }, (_, at) => ({
        _id: (at + 1).toString(16).padStart(24, '0'),
        firstName: `Ada ${at}`,
        lastName: 'Lovelace',
        email: `ada.${at}@example.com`,
        createdAt: '2026-03-01T09:00:00.000Z',
        updatedAt: '2026-03-01T09:00:00.000Z',
        teamId: 'acme',
      })),
    } as World['teams'][number],
  ],
}

it.runIf(paths.includes('contacts'))('shows 50 of 100,000 contacts at once, and finds one of them', async () => {
  const { page } = await openConsole({ world: crowded, path: '/console/acme/contacts' })
  await page.getByText('1 to 50 of 100,000').waitFor()
  expect(await page.locator('tbody tr').count()).toBe(50)
  await page.getByRole('searchbox').fill('ada 99999')
  await page.getByText('1 to 1 of 1').waitFor()
  await page.getByRole('link', { name: 'Ada 99999' }).waitFor()
  expect(await page.locator('tbody tr').count()).toBe(1)
})
