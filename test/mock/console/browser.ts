import { existsSync, readFileSync } from 'node:fs'
import { chromium, type Browser, type BrowserContextOptions, type Page, type Request } from 'playwright-core'
import { onTestFinished, TestRunner, expect } from 'vitest'
import type { Sandbox, SandboxOptions } from '../../../index.ts'
import { once } from '../../../lib/async.ts'
import { startSandbox } from '../../for-one-test.ts'
import { longestWait } from '../../longest-wait.ts'

/** The pages in the order of the navigation. */
export const paths = [...readFileSync('mock/console/pages/index.ts', 'utf8').matchAll(/path: '([^']*)'/g)].map(
  ([, path = '']) => path,
)

/** Waits until the page has a heading and reads nothing. */
export async function settle(page: Page): Promise<void> {
  await page.locator('main h1, main .empty').first().waitFor()
  await expect.poll(() => page.locator('main .loading').count()).toBe(0)
}

const programs = ['chromium', 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`)

/** Undefined when no Chromium is installed. */
export const chromiumPath = (process.env.CHROMIUM === undefined ? programs : [process.env.CHROMIUM]).find((path) =>
  existsSync(path),
)

if (chromiumPath === undefined)
  console.log('The tests of the console are skipped: set CHROMIUM to the path of a Chromium.')

export interface ConsoleOptions extends SandboxOptions {
  /** The address that the browser opens: by default the first page, with null none. */
  readonly path?: string | null
  readonly context?: BrowserContextOptions
}

export interface OpenConsole {
  readonly page: Page
  readonly sandbox: Sandbox
  /** The origin of the sandbox. */
  readonly base: string
  /** Errors of the page, violations of its policy, and requests to other origins: the test fails unless it takes them out. */
  readonly faults: string[]
}

/** A sandbox for this test, and a page of a browser on its console. */
export async function openConsole({
  path = '/console',
  context: contextOptions,
  ...options
}: ConsoleOptions = {}): Promise<OpenConsole> {
  const sandbox = await startSandbox({ port: 0, ...options })
  const { page, faults } = await openPage(sandbox.url, contextOptions)
  if (path !== null) await page.goto(sandbox.url + path)
  return { page, sandbox, base: sandbox.url, faults }
}

/** A page of a browser that shares nothing with the pages of other calls. Without Chromium, the test is skipped. */
export async function openPage(
  origin: string,
  options?: BrowserContextOptions,
): Promise<{ page: Page; faults: string[] }> {
  if (chromiumPath === undefined) TestRunner.getCurrentTest()?.context.skip('No Chromium is installed')
  const browser = await startBrowser()
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(longestWait)
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(`Error in the page: ${error.message}`))
  page.on('dialog', (dialog) => {
    faults.push(`Dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    if (message.type() === 'error' && !isShown(message.text(), message.location().url)) faults.push(message.text())
  })
  const noteRequest = (request: Request) => {
    const url = new URL(request.url())
    // Chromium reports some of the requests that the policy of the page stopped. They never left the browser.
    if (request.failure()?.errorText === 'csp') return
    if (url.protocol.startsWith('http') && url.origin !== origin) faults.push(`Request to ${request.url()}`)
  }
  page.on('requestfinished', noteRequest)
  page.on('requestfailed', noteRequest)
  onTestFinished(async () => {
    await context.close()
    if (faults.length > 0) throw new Error(faults.join('\n'))
  })
  return { page, faults }
}

/** Chromium logs each refused request; the page shows refusals of the control plane and of the API. */
const isShown = (text: string, url: string) =>
  text.startsWith('Failed to load resource: the server responded') &&
  /^\/(?:_sandbox|api)\//.test(new URL(url).pathname)

/** One for all tests of this process. It ends with the process. */
const startBrowser = once((): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'], timeout: longestWait }),
)
