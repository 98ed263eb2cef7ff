import { expect, it } from 'vitest'
import { inTier, sampleOf } from '../tier.ts'
import { DocsRunner } from '../docs/docs-runner.ts'
import type { SweepOptions } from '../../cli/sweep/sweep.ts'
import { sweepSuite } from '../cli/sweep/helpers.ts'

/** The suites of some users, each with the guesses that it depends on: all of them, and no other. */
const suites: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  approval: { whatsappApproval: ['atOnce'] },
  bulk: { bulkDelivery: ['afterDelay:1000', 'onRelease'] },
  'chosen-at-run-time': {},
  'contact-lifecycle': { newContactLifecycle: ['lead'], newContactStatus: ['absent'] },
  'contact-status': { newContactStatus: ['absent'] },
  'delete-twice': { deleteAgain: ['succeeds'] },
  dies: { newContactStatus: ['absent'] },
  'in-process': { newContactStatus: ['absent'] },
  'key-used-otherwise': { repeatedKeyOtherBody: ['conflict', 'unprocessable', 'replay', 'execute'] },
  'merge-field': { mergeFields: ['raw'], mergeFieldPaths: ['contactDotField'] },
  'message-of-a-refusal': { badRequestMessage: ['general'] },
  'not-refused': { contactMatching: ['refuse'] },
  'page-zero': { badPage: ['refused'] },
  resets: { newContactStatus: ['absent'] },
  retry: { repeatedKey: ['reexecute', 'refuse', 'conflict', 'unprocessable'] },
  served: { newContactStatus: ['absent'] },
  survives: {},
  tokens: { bearerRoutes: ['none'] },
  'two-matches': { contactMatching: ['phoneThenEmail', 'refuse'] },
  upsert: { addressCompare: ['exact'] },
  'waits-for-ever': { bulkDelivery: ['onRelease'] },
  'whole-answer': { emptyUpdate: ['refused'], metaInEnvelope: ['present'], recordAfterUpdate: ['messageOnly'] },
  workers: { deleteAgain: ['succeeds'], newContactStatus: ['absent'] },
}

const settings: Readonly<Record<string, Partial<SweepOptions>>> = {
  tokens: {
    world: 'two-teams',
    names: new Map([
      ['API_ROOT', 'CRM_BASE_URL'],
      ['API_ADMIN', 'CRM_ADMIN_TOKEN'],
    ]),
  },
  'waits-for-ever': { timeout: 15_000 },
}

const tried = sampleOf(Object.entries(suites), inTier({ test: 2, ci: 4, nightly: Infinity }))

it.concurrent.each(tried)('names exactly the guesses that %s depends on', async (name, known) => {
  const { guesses, exitCode, untried } = await sweepSuite(name, settings[name])
  const found = guesses.map((guess) => [guess.name, guess.failsWith.map(({ choice }) => choice)])
  expect(Object.fromEntries(found)).toEqual(known)
  expect(exitCode).toBe(found.length === 0 ? 0 : 1)
  expect(untried).toEqual([])
})

it('sweeps tests of vitest, which start their sandboxes in its workers', async () => {
  await using runner = new DocsRunner()
  for (const [name, test] of Object.entries(vitestFiles)) runner.write(`${name}.test.js`, test)
  // The limit of vitest is 5 seconds, which a test that starts a sandbox needs on a busy machine.
  const vitest = 'npx vitest run --testTimeout 300000'
  const swept = await runner.sh(`npx crm-sandbox sweep --only newContactStatus --only deleteAgain -- ${vitest} || true`)
  expect(swept.match(/Your tests .*$/gm)).toEqual([
    'Your tests pass only if `deleteAgain` is `notFound`.',
    'Your tests pass only if `newContactStatus` is `open`.',
  ])
})

const vitestFiles = {
  contacts: `import { sandboxFixtures } from 'crm-sandbox/vitest'
import { expect, test as base } from 'vitest'

const test = base.extend(sandboxFixtures())

test('creates an open contact', async ({ team }) => {
  const { data } = await team.crm.createContact({ firstName: 'Ada', lastName: 'Lovelace' })
  expect(data.status).toBe('open')
})
`,
  products: `import { sandboxFixtures } from 'crm-sandbox/vitest'
import { expect, test as base } from 'vitest'

const test = base.extend(sandboxFixtures())

test('deletes a product once', async ({ team }) => {
  const { data } = await team.crm.createProduct({ name: 'Engine', unitPrice: 12 })
  await team.crm.deleteProduct(data._id)
  await expect(team.crm.deleteProduct(data._id)).rejects.toMatchObject({ status: 404 })
})
`,
}
