import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fieldsOf } from '../../contracts/client/answer.ts'
import type { TargetOptions } from '../../contracts/client/target/target.ts'
import type { Report } from '../../contracts/index.ts'
import { newFolder } from '../for-one-test.ts'
import { only, verifyAt } from './command.ts'
import { credentials, type Deviation, otherTarget, startOtherServer } from './other-server/server.ts'

const variables = {
  CRM_API_KEY: credentials.team,
  CRM_OTHER_API_KEY: credentials.otherTeam,
  CRM_ADMIN_TOKEN: credentials.admin,
  CRM_AGENT_TOKEN: credentials.agent,
}

const { emailProvider = '', smsProvider = '', whatsappProvider = '' }: TargetOptions = otherTarget('').wanted
const providers = ['--email-provider', emailProvider, '--sms-provider', smsProvider]
const channels = [...providers, '--whatsapp-provider', whatsappProvider]

async function startWrong(deviation?: Deviation) {
  const server = await startOtherServer({ bulkAfter: 0 }, { deviation })
  onTestFinished(server.close)
  return server.url
}

/** The first finding about a promise, as the JSON report of a run has it. */
async function findingOf(url: string, promise: string, ...args: string[]) {
  const path = join(newFolder(), 'report.json')
  const { code, stdout } = await verifyAt(url, [...channels, ...args, '--report-json', path], variables)
  expect(code).toBe(1)
  const { promises } = JSON.parse(readFileSync(path, 'utf8')) as Report
  const [finding] = promises.find(({ id }) => id === promise)?.findings ?? []
  return { path, stdout, finding }
}

/** Runs the printed lines of the first story about a promise. */
async function runLines(stdout: string, promise: string): Promise<string> {
  const [, name = ''] = promise.split('.')
  const [, block = ''] = stdout.slice(stdout.search(new RegExp(`^ .*\\b${name}\\b`, 'm'))).split('repeat it with:\n')
  const lines = block
    .split('\n')
    .filter((line, index, all) => all.slice(0, index + 1).every((one) => / # \d+: /.test(one)))
  return (await promisify(execFile)('sh', ['-euc', lines.join('\n')], { env: { ...process.env, ...variables } })).stdout
}

const changesTheLastName: Deviation = () => ({
  'PUT /api/contacts/:id': (original) => (given) => {
    const { team, path } = given
    const reply = original(given)
    const record = team.shelf('contact').get(path[0] ?? '')
    if (record) team.update('contact', record, { lastName: 'Nobody' })
    return { ...reply, data: { ...fieldsOf(reply.data), lastName: 'Nobody' } }
  },
})

const showsTheOtherTeam: Deviation = ([acme]) => ({
  'PUT /api/contacts/:id': (original) => (given) =>
    original({ ...given, team: acme?.shelf('contact').get(given.path[0] ?? '') ? acme : given.team }),
})

const losesTheLastNameForACompany: Deviation = () => ({
  'PUT /api/contacts/:id': (original) => (given) => {
    const { team, path, body } = given
    const record = team.shelf('contact').get(path[0] ?? '')
    if (record && fieldsOf(body).company !== undefined) team.update('contact', record, { lastName: 'Nobody' })
    return original(given)
  },
})

describe('The story of a finding', () => {
  it.each([
    ['contact.updateKeepsTheRest', changesTheLastName, /"lastName": ?"Nobody"[^]*\n200\n$/],
    ['access.updatesStayInTheTeam', showsTheOtherTeam, /\n200\n$/],
  ] as const)(
    'of %s shows the wrong answer again in a shell, any number of times',
    async (promise, deviation, shown) => {
      const url = await startWrong(deviation)
      const { stdout } = await findingOf(url, promise, ...only(promise))
      for (let time = 0; time < 2; time++) expect(await runLines(stdout, promise)).toMatch(shown)
    },
  )

  it('names the field, both values and the line that set the expected one, and --story repeats it', async () => {
    const promise = 'contact.updateKeepsTheRest'
    const url = await startWrong(changesTheLastName)
    const { path, finding } = await findingOf(url, promise, ...only(promise))
    expect(finding).toMatchObject({ promise, field: 'lastName', actual: 'lastName "Nobody"', setBy: 1 })
    expect(finding?.expected).toMatch(/^lastName "/)

    const again = await verifyAt(url, ['--story', path, '--only', promise], variables)
    expect(again.stdout).toMatch(/expected: lastName ".*", by line 1\n/)
    expect(again.stdout).toContain('Everything that the run made is deleted.')
    expect(again.code).toBe(1)

    const story = join(newFolder(), 'story.json')
    writeFileSync(story, JSON.stringify(finding?.story))
    const right = await verifyAt(await startWrong(), ['--story', story], variables)
    expect(right.stdout).toContain('Verdict: conformant.')
    expect(right.code).toBe(0)
  })

  it('of many requests becomes shorter while the promise is still broken', async () => {
    const url = await startWrong(losesTheLastNameForACompany)
    const promise = 'contact.updateKeepsTheRest'
    const some = [...only('contact.deleteAnswers200'), '--situations', 'pairs']
    const { finding, stdout } = await findingOf(url, promise, ...some)
    const sent = finding?.story?.map(({ operation }) => operation)
    expect(sent).toEqual([expect.stringMatching(/^create.*Contact/), 'createCompany', 'updateContact'])
    expect(await runLines(stdout, promise)).toMatch(/"lastName": ?"Nobody"/)
  })

  it.each([
    ['is no JSON', 'story', 'is no story: it must be the JSON report of a run that found something, or a story in it.'],
    ['has an operation that is not documented', '[{"operation":"constructor","input":{}}]', 'is no story'],
    ['lacks the id of a path', '[{"operation":"getTemplate","input":{}}]', 'is no story'],
  ])('is refused in one sentence when its file %s', async (_, text, why) => {
    const story = join(newFolder(), 'story.json')
    writeFileSync(story, text)
    const { code, stdout, stderr } = await verifyAt('http://127.0.0.1:1', ['--story', story], variables)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(new RegExp(`^error: [^\n]*${why}[^\n]*\n$`))
  })
})
