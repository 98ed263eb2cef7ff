import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The pages in the order of the navigation. */
export const paths = [...readFileSync('console/pages/index.ts', 'utf8').matchAll(/path: '([^']*)'/g)].map(
  ([, path = '']) => path,
)

/** Waits until the page has a heading and reads nothing. */
export async function settle(page: Page): Promise<void> {
  await page.locator('main h1, main .empty').first().waitFor()
  await expect.poll(() => page.locator('main .loading').count(), { timeout: 10_000 }).toBe(0)
}
