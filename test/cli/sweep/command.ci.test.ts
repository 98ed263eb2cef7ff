import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { run } from '../command.ts'
import { cli } from '../../docs/docs-runner.ts'
import { startLifeline, suite } from './helpers.ts'
import { newFolder } from '../../for-one-test.ts'

it('prints the progress and the guesses, and writes reports', async () => {
  const path = newFolder()
  const [json, markdown] = [join(path, 'sweep.json'), join(path, 'sweep.md')]
  const reports = ['--report-json', json, '--report-markdown', markdown]
  const { code, stdout, stderr } = await run([
    'sweep',
    '--only',
    'newContact',
    ...reports,
    '--',
    ...suite('contact-status'),
  ])
  expect(stderr).toBe('')
  expect(code).toBe(1)
  expect(stdout).toMatch(/It passes, and relies on 2 assumptions, with 2 other choices to try: about \d+ second/)
  expect(stdout).toMatch(/1 of 2: \w+=\w+ (passes|fails \(exit code 1\)), about \d+ seconds? left/)
  expect(stdout).toContain('\nnewContactStatus\n  Your tests pass only if `newContactStatus` is `open`.\n')
  expect(stdout).toMatch(
    /\n {2}to repeat: CRM_SANDBOX_ASSUME=newContactStatus=absent npx crm-sandbox sweep -- \S+ \S+ contact-status\n/,
  )
  expect(stdout).toContain('Verdict: the tests depend on 1 guess.\n')
  expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({
    version: 1,
    exitCode: 1,
    guesses: [{ name: 'newContactStatus' }],
  })
  expect(readFileSync(markdown, 'utf8')).toContain('Your tests pass only if `newContactStatus` is `open`.')
})

it('exits with 0 when tests depend on no guess', async () => {
  const { code, stdout } = await run(['sweep', '--only', 'newContact', '--', ...suite('survives')])
  expect(stdout).toContain('Verdict: the tests depend on no guess.\n')
  expect(code).toBe(0)
})

it('hands over credentials, also by other names', async () => {
  const file = join(newFolder(), 'environment.json')
  const script = `require('node:fs').writeFileSync(${JSON.stringify(file)}, JSON.stringify(process.env))`
  const names = ['--env', 'CRM_BASE_URL=API_ROOT', '--env', 'CRM_API_KEY=API_TOKEN', '--world', 'two-teams']
  await run(['sweep', ...names, '--', process.execPath, '-e', script], { CRM_API_KEY: 'of-staging', HOME: '/home/ada' })
  const { API_ROOT, CRM_BASE_URL, ...others } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  expect(API_ROOT).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(CRM_BASE_URL).toBe(API_ROOT)
  expect(others).toMatchObject({
    HOME: '/home/ada',
    CRM_API_KEY: 'acme-key',
    API_TOKEN: 'acme-key',
    CRM_OTHER_API_KEY: expect.any(String) as string,
    CRM_ADMIN_TOKEN: expect.stringMatching(/^eyJ/) as string,
    CRM_AGENT_TOKEN: expect.stringMatching(/^eyJ/) as string,
  })
})

it('refuses wrong options with one sentence, before the first run', async () => {
  const path = newFolder()
  const [broken, ran] = [join(path, 'broken.yaml'), join(path, 'ran')]
  writeFileSync(broken, '- no profile')
  const refusals: (readonly [readonly string[], RegExp])[] = [
    [['--at-once', '0'], /'0' is invalid\. It must be a whole number from 1 to 99/],
    [['--timeout', 'soon'], /'soon' is invalid\. It must be a duration such as 90s/],
    [
      ['--only', 'newContactStatsu'],
      /^error: --only names no assumption: newContactStatsu; close to it: newContactStatus/,
    ],
    [['--profile', broken], /^error: A profile gives names their choices/],
    [['--profile', join(path, 'none.yaml')], /^error: The profile .*none\.yaml cannot be read \(ENOENT\)/],
    [['--report-json', '/proc/none/sweep.json'], /^error: The report \/proc\/none\/sweep\.json cannot be written/],
    [['--report-json', path], /^error: The report .* cannot be written \(EISDIR\)/],
    [['--report-markdown', '/proc/none/sweep.md'], /^error: The report \/proc\/none\/sweep\.md cannot be written/],
    [['--env', 'CRM_BASE_URL=API', '--env', 'CRM_API_KEY=API'], /^error: --env gives the name API to two variables/],
    [['--env', 'API_ROOT'], /^error: --env API_ROOT is not written as ours=yours/],
    [['--env', 'API_ROOT=CRM_BASE_URL'], /^error: --env API_ROOT=CRM_BASE_URL is not written as ours=yours/],
    [['--world', 'nowhere'], /^error: There is no world nowhere/],
    [['--pigeon'], /^error: unknown option '--pigeon'/],
  ]
  for (const [args, sentence] of refusals) {
    const { code, stderr } = await run(['sweep', ...args, '--', 'touch', ran])
    expect(stderr.trim(), args.join(' ')).toMatch(sentence)
    expect(stderr.trim().split('\n'), args.join(' ')).toHaveLength(1)
    expect(code, args.join(' ')).toBe(2)
  }
  expect(await run(['sweep'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^error: There is no command/) as string,
  })
  expect(existsSync(ran)).toBe(false)
})

it.each([
  ['with -- before it', ['--']],
  ['without', []],
])('leaves the options after the command to the command: %s', async (_, before) => {
  const written = join(newFolder(), 'options')
  const script = 'require("node:fs").writeFileSync(process.env.WRITTEN, process.argv.slice(1).join(" "))'
  const options = ['vitest', '--run', '--only', 'nothing', '--version', '-h', '--', '--bail']
  await run(['sweep', ...before, process.execPath, '-e', script, ...options], { WRITTEN: written })
  expect(readFileSync(written, 'utf8')).toBe(options.join(' '))
})

it.each([['--version'], ['--test', '--help']])('runs node %s, not the option of ours', async (...options) => {
  const { stdout, stderr } = await run(['sweep', process.execPath, ...options])
  expect(stderr).toMatch(/^error: The command passes, but it has asked no sandbox/)
  expect(stdout).toBe(`Running ${[process.execPath, ...options].join(' ')}, twice as it is.\n`)
})

it('shows the output of a failed command as text', async () => {
  const { code, stderr } = await run(['sweep', '--', `printf '::error::\\033[31mno luck\\n'; exit 4`])
  expect(code).toBe(2)
  expect(stderr).toBe(
    'error: The command fails as it is (exit code 4), so no guess can be told from another.\n' +
      'The end of what it printed:\n  | ::error::no luck\n',
  )
})

it.each([['SIGINT', 130] as const, ['SIGTERM', 143] as const])('ends all runs at %s', async (signal, code) => {
  const { command, began, ended } = await startLifeline()
  const child = spawn(process.execPath, [cli, 'sweep', '--', ...command], { stdio: 'ignore' })
  await began()
  child.kill(signal)
  expect(await once(child, 'exit')).toEqual([code, null])
  expect(await ended()).toBe(2)
})
