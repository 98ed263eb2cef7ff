import { expect, it } from 'vitest'
import { assumptionNames, type AssumptionName } from '../../spec/assumptions.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import { askSandbox, isBeyondClients, undetermined } from '../contracts/learn/helpers.ts'
import { drawChoices } from '../contracts/compare/helpers.ts'
import { inTier } from '../tier.ts'
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSandbox, type World } from '../../index.ts'
import { run } from '../cli/command.ts'
import { killAtSize } from '../contracts/command.ts'
import { recordsIn } from '../contracts/client/helpers.ts'
import { cli } from '../docs/docs-runner.ts'
import { newFolder } from '../for-one-test.ts'

// LEARNED_SANDBOXES=200 for more.
const sandboxes = Number(process.env.LEARNED_SANDBOXES ?? inTier({ test: 1, nightly: 8 }))
const minute = 60_000

const choiceIn = (text: string | undefined) => text?.split(':')[0]

it(
  `learns what can be told of ${sandboxes} sandboxes that chose everything at random, and nothing wrong`,
  { timeout: 5 * minute + sandboxes * minute },
  async () => {
    const wrong: string[] = []
    const missed: string[] = []
    let [learned, hidden] = [0, 0]
    for (let seed = 1; seed <= sandboxes; seed++) {
      const chosen = drawChoices(seed, 100)
      const findings = await askSandbox(chosen, assumptionNames)
      for (const name of assumptionNames) {
        const finding = findings.get(name)
        const by = hiddenBy(name, withoutNumbers(chosen))
        const told = `sandbox ${seed}: ${name}=${chosen[name] ?? ''}: ${JSON.stringify(finding)}`
        if (finding?.outcome === 'seen' && choiceIn(finding.written) === choiceIn(chosen[name])) {
          learned++
          if (by) wrong.push(`${told} is not hidden`)
        } else if (finding?.outcome !== 'cannotTell') wrong.push(told)
        else if (!by) missed.push(told)
        else {
          hidden++
          if (!by.every((one) => finding.words.includes(one))) wrong.push(`${told} does not say ${by.join(', ')}`)
        }
      }
    }
    const tellable = sandboxes * assumptionNames.length - hidden
    console.log(`Of ${tellable} entries that a client can tell, ${learned} were learned; ${hidden} are hidden.`, missed)
    expect(wrong).toEqual([])
    expect(learned / tellable).toBeGreaterThan(0.97)
  },
)

const withoutNumbers = (chosen: WrittenChoices) =>
  Object.fromEntries(Object.entries(chosen).map(([name, choice]) => [name, choiceIn(choice)])) as InForce

/** The choices of a sandbox, without the numbers. */
type InForce = Readonly<Record<AssumptionName, string>>

/**
 * Returns the entries that hide a choice of a sandbox from every client. The list is empty if no client can see the choice
 * in any sandbox; the result is `undefined` if a client can determine it.
 */
function hiddenBy(name: AssumptionName, chosen: InForce): readonly AssumptionName[] | undefined {
  if (undetermined[name] ?? isBeyondClients(name, chosen[name])) return []
  const by = hidden[name]?.(chosen)
  return by === false ? undefined : by
}

/** Entries in force that hide another one. */
type Hiding = (chosen: InForce) => readonly AssumptionName[] | false

/** The entries with a choice that other choices hide from every client; the reason of a finding must name these others. */
const hidden: Readonly<Partial<Record<AssumptionName, Hiding>>> = {
  bothCredentials: (chosen) => noToken(chosen) && chosen.bothCredentials !== 'key' && ['bearerRoutes'],
  roleOfKey: (chosen) => noToken(chosen) && ['bearerRoutes'],
  templatesOfAgents: (chosen) => noToken(chosen) && ['bearerRoutes'],
  templateChangesByAgent: (chosen) => noToken(chosen) && ['bearerRoutes'],
  templateSendsByAgent: (chosen) => noToken(chosen) && ['bearerRoutes'],
  keyMadeTemplates: (chosen) => noToken(chosen) && ['bearerRoutes'],

  repeatedKeyInFlight: ({ repeatedKey }) =>
    ['refuse', 'conflict', 'unprocessable'].includes(repeatedKey) && ['repeatedKey'],
  failuresKept: (chosen) => keysCountNowhere(chosen) && ['repeatedKey', 'repeatedKeyOtherBody'],
  keyScope: ({ repeatedKeyOtherBody }) => repeatedKeyOtherBody === 'execute' && ['repeatedKeyOtherBody'],
  keyOnDelete: (chosen) => keysCountNowhere(chosen) && ['repeatedKey', 'repeatedKeyOtherBody'],

  nestedUpdate: ({ undefinedCustomField }) => undefinedCustomField !== 'stored' && ['undefinedCustomField'],
  resolutionEndpoints: ({ unlistedFields, serverFieldsSent }) =>
    unlistedFields === 'refused' && serverFieldsSent === 'refused' && ['unlistedFields', 'serverFieldsSent'],

  // The messages of more than one day would be needed.
  historyPage: ({ historyCounts }) => historyCounts === 'days' && ['historyCounts'],

  severalMatches: ({ sameAddressTwice, addressFilledIn, contactMatching }) =>
    sameAddressTwice === 'refused' &&
    (addressFilledIn === 'untouched' || contactMatching === 'refuse') && [
      'sameAddressTwice',
      'addressFilledIn',
      'contactMatching',
    ],
  phoneCompare: ({ contactPhoneForm }) => contactPhoneForm === 'checked' && ['contactPhoneForm'],

  mergeFieldsElsewhere: (chosen) =>
    chosen.mergeFields === 'raw' &&
    (chosen.mergeFieldsInSubject === 'raw'
      ? ['mergeFields']
      : chosen.mergeFieldsElsewhere === 'leftAsIs' && noBulk(chosen) && ['mergeFields', 'bulkDelivery']),
  mergeFieldsInSubject: (chosen) =>
    noBulk(chosen) &&
    (chosen.mergeFieldsElsewhere === 'leftAsIs' ||
      (chosen.mergeFields === 'raw' && chosen.mergeFieldsInSubject === 'raw')) && [
      'mergeFieldsElsewhere',
      'bulkDelivery',
    ],
  mergeFieldPaths: (chosen) => noMergeFields(chosen) && ['mergeFields'],
  unknownMergeField: (chosen) => noMergeFields(chosen) && ['mergeFields'],

  whatsappOutsideSession: (chosen) => needsTemplate(chosen) && ['whatsappWithoutTemplate'],
  templateOfOtherType: (chosen) => needsTemplate(chosen) && ['whatsappWithoutTemplate'],
  whatsappAfterUpdate: ({ whatsappApproval }) => whatsappApproval !== 'afterDelay' && ['whatsappApproval'],
  unapprovedTemplate: ({ whatsappApproval }) => whatsappApproval === 'atOnce' && ['whatsappApproval'],
  scheduleTypeMissing: (chosen) =>
    noBulk(chosen) &&
    chosen.scheduleInPast === 'sendsNow' &&
    chosen.scheduleForm === 'anyString' &&
    chosen.scheduleMissing === 'sendsNow' && ['bulkDelivery', 'scheduleInPast'],
}

const needsTemplate = ({ whatsappWithoutTemplate }: InForce) => whatsappWithoutTemplate === 'refused'

const noToken = ({ bearerRoutes }: InForce) => bearerRoutes === 'none'

const keysCountNowhere = ({ repeatedKey, repeatedKeyOtherBody }: InForce) =>
  repeatedKey === 'reexecute' && repeatedKeyOtherBody === 'execute'

const noBulk = ({ bulkDelivery }: InForce) => bulkDelivery === 'onRelease'

/** Neither chat messages, nor subjects, nor parameters of templates show the fate of a merge field. */
const noMergeFields = (chosen: InForce) =>
  chosen.mergeFields === 'raw' &&
  (chosen.mergeFieldsInSubject === 'raw' || (chosen.mergeFieldsElsewhere === 'leftAsIs' && noBulk(chosen))) &&
  chosen.templateContent === 'fallbackText'

// KILLS=50 for more.
const kills = Number(process.env.KILLS ?? inTier({ test: 2, nightly: 10 }))

it(
  `killed at ${kills} moments and then cleaned, a run leaves nothing, and its older profile whole`,
  async () => {
    const whole = await leavesNothing(Infinity, 'acme-key')
    // A run without a key has the sandbox make a second team and tokens for it.
    for (let kill = 1; kill <= kills; kill++)
      await leavesNothing(whole * ((kill * 0.618) % 1), kill % 2 === 1 ? undefined : 'acme-key')
  },
  5 * 60_000 + kills * 60_000,
)

/** Kills a run once its ledger has more than `enough` bytes, cleans, and looks. Returns how many it had. */
async function leavesNothing(enough: number, key: string | undefined): Promise<number> {
  await using sandbox = await createSandbox({ port: 0, world: 'two-teams' })
  const before = await sandbox.world()
  const [ledgers, files] = [newFolder(), newFolder()]
  const [profile, evidence] = [join(files, 'profile.yaml'), join(files, 'evidence.json')]
  writeFileSync(profile, 'badPage: clamped\n')
  const env: Record<string, string> = key === undefined ? {} : { CRM_API_KEY: key }
  const written = ['--ledgers', ledgers, '--profile', profile, '--evidence', evidence]
  const child = spawn(process.execPath, [cli, 'learn', '--base-url', sandbox.url, ...written], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: 'ignore',
  })
  const bytes = await killAtSize(child, ledgers, enough)

  let stays = 0
  for (const ledger of readdirSync(ledgers)) {
    const cleaned = await run(['verify', '--clean', join(ledgers, ledger)], env)
    expect(cleaned, cleaned.stdout).toMatchObject({ code: 0, stderr: '' })
    for (const [, count] of cleaned.stdout.matchAll(/^stays: (\d+) (?:scheduled|queued) bulk send/gm))
      stays += Number(count)
  }
  const after = await sandbox.world()
  expect(whatCanBeDeleted(after)).toEqual(whatCanBeDeleted(before))
  if (child.signalCode === 'SIGKILL') expect(bulkSendsIn(after)).toBeLessThanOrEqual(stays)
  expect(readFileSync(profile, 'utf8')).toMatch(/^(badPage: clamped\n$|# What http)/)
  expect(readdirSync(files).filter((name) => !/^(profile\.yaml|evidence\.json)$/.test(name))).toEqual([])
  if (existsSync(evidence)) JSON.parse(readFileSync(evidence, 'utf8'))
  return bytes
}

/** All records except the users of tokens and scheduled bulk sends, which no operation deletes. */
const whatCanBeDeleted = (world: World) => recordsIn(world).map(({ users, bulkSends, ...team }) => team)

const bulkSendsIn = ({ teams }: World) => teams.flatMap(({ bulkSends = [] }) => bulkSends).length
