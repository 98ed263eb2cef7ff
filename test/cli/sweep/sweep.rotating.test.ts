import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { toMarkdown } from '../../../contracts/reports/markdown.ts'
import { toDocument } from '../../../cli/sweep/report.ts'
import { failedTests } from '../../../cli/sweep/run-command.ts'
import { CommandFails, sweep, type SweepOptions } from '../../../cli/sweep/sweep.ts'
import { startForTests } from '../../../cli/own-target.ts'
import { startLifeline, suite, sweepSuite } from './helpers.ts'
import { newFolder } from '../../for-one-test.ts'

// The long tests sweep more suites, and with all assumptions.

describe('a sweep', () => {
  it('names exactly the guesses that tests need', async () => {
    const report = await sweepSuite('contact-status', { only: ['newContact'] })
    expect(report).toMatchObject({ exitCode: 1, verdict: 'the tests depend on 1 guess', untried: [] })
    expect(report.relied).toEqual(['newContactLifecycle', 'newContactStatus'])
    const [guess] = report.guesses
    expect(report.guesses).toHaveLength(1)
    expect(guess).toMatchObject({
      sentence: 'your tests pass only if `newContactStatus` is `open`',
      question: 'What is the status of a contact created without one?',
      passesWith: ['open'],
      failsWith: [{ choice: 'absent', meaning: 'none, until one is set', how: 'exit code 1' }],
    })
    expect(guess?.failsWith[0]?.output).toContain('AssertionError')
    const page = toMarkdown(toDocument(report, true))
    expect(page).toContain('$ CRM_SANDBOX_ASSUME=newContactStatus=absent npx crm-sandbox sweep -- ')
    expect(page).toContain('Your tests pass only if `newContactStatus` is `open`.')
    expect(page).toContain('AssertionError')
  })

  it('leaves out the entries of a profile, which is in force in every run', async () => {
    const report = await sweepSuite('contact-lifecycle', {
      only: ['newContact'],
      profile: { newContactLifecycle: 'absent' },
    })
    expect(report.relied).toEqual(['newContactStatus'])
    const withOther = sweepSuite('contact-lifecycle', { profile: { newContactLifecycle: 'lead' } })
    await expect(withOther).rejects.toThrow('The command fails as it is (exit code 1)')
  })

  it('reaches sandboxes that tests start themselves, and sweeps nothing that their code chooses', async () => {
    const { relied, guesses } = await sweepSuite('in-process', { only: ['newContact'] })
    expect(relied).toEqual(['newContactStatus'])
    expect(guesses.map(({ name }) => name)).toEqual(['newContactStatus'])
  })

  const inProcess = suite('in-process').join(' ')
  it.each([
    ['a program', suite('in-process'), inProcess],
    ['a line for a shell', [`true && ${inProcess}`], `sh -c 'true && ${inProcess}'`],
  ])('prints a command that repeats a failed run of %s that starts its sandbox', async (_, command, written) => {
    const options = { command, only: ['newContactStatus'], profile: { keyScope: 'team' } as const }
    const [guess] = (await sweepSuite('in-process', options)).guesses
    const repeat = guess?.failsWith[0]?.repeat ?? ''
    expect(repeat).toBe(`CRM_SANDBOX_ASSUME='keyScope=team newContactStatus=absent' ${written}`)
    expect(spawnSync(repeat, { shell: true, encoding: 'utf8' }).stderr).toContain('AssertionError')
  })

  it('prints a command that repeats a failed run with the sandbox, the world and the names of the sweep', async () => {
    const command = [`export CRM_BASE_URL=$ROOT; ${suite('contact-status').join(' ')}`]
    const options = { only: ['newContactStatus'], world: 'two-teams', names: new Map([['ROOT', 'CRM_BASE_URL']]) }
    const [guess] = (await sweepSuite('contact-status', { ...options, command })).guesses
    expect(guess?.failsWith[0]?.repeat).toBe(
      'CRM_SANDBOX_ASSUME=newContactStatus=absent npx crm-sandbox sweep --world two-teams --env CRM_BASE_URL=ROOT -- ' +
        `'${command.join('')}'`,
    )
  })

  it('counts assumptions before a reset, and no choice that tests make at run time', async () => {
    expect((await sweepSuite('resets', { only: ['newContactStatus'] })).exitCode).toBe(1)
    expect((await sweepSuite('chosen-at-run-time', { only: ['newContactStatus'] })).relied).toEqual([])
  })

  it('does not blame a choice for a failure that only another run of the tests has caused', async () => {
    const LOCK = join(newFolder(), 'lock')
    const { PATH = '' } = process.env
    const report = await sweepSuite('alone', { only: ['newContact'], env: { PATH, LOCK } })
    expect(report).toMatchObject({ exitCode: 0, guesses: [], untried: [] })
    expect(report.tried).toHaveLength(2)
  })

  it('ends with the first failure with --bail', async () => {
    const report = await sweepSuite('two-matches', { only: ['contactMatching'], bail: true, atOnce: 1 })
    expect(report.guesses[0]?.sentence).toBe('your tests fail if `contactMatching` is `phoneThenEmail`')
    expect(report.untried).toEqual([{ name: 'contactMatching', choice: 'refuse' }])
  })
})

it.each([
  [
    'vitest',
    '\u001b[31m FAIL \u001b[39m a.test.ts > contacts > is open\n × is open 3ms',
    ['a.test.ts > contacts > is open'],
  ],
  ['jest', 'FAIL ./a.test.js\n  ● Console\n\n  ● contacts › is open\n\n    expect(received)', ['contacts › is open']],
  ['node:test', '  ✖ is open (1.45ms)\n✖ failing tests:\n\n✖ is open (1.45ms)', ['is open']],
  [
    'node:test without a terminal',
    '    not ok 1 - is open\nok 2 - is made\nnot ok 3 - is new # time=3',
    ['is open', 'is new'],
  ],
  ['pytest', 'FAILED test_a.py::TestA::test_open - assert 1 == 2\n1 failed in 0.10s', ['test_a.py::TestA::test_open']],
  [
    'go test',
    '--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/open (0.00s)\nFAIL\nFAIL\tx\t0.002s',
    ['TestA', 'TestA/open'],
  ],
  ['another runner', 'AssertionError: 1 is not 2', []],
  [
    'more than three',
    [1, 2, 3, 4].map((at) => `not ok ${at} - number ${at}`).join('\n'),
    ['number 1', 'number 2', 'number 3'],
  ],
])('the failed tests in the output of %s are named', (_runner, output, names) =>
  expect(failedTests(output)).toEqual(names),
)

describe('a command', () => {
  const run = (command: readonly string[], more: Partial<SweepOptions> = {}) =>
    sweep({
      command,
      startSandbox: startForTests,
      world: 'demo',
      profile: {},
      atOnce: 1,
      env: process.env,
      names: new Map(),
      ...more,
    })
  const whyNot = (running: Promise<unknown>) => running.then(String, (error: unknown) => error as CommandFails)

  it('that fails is run twice, and shown with what it printed', async () => {
    const file = join(newFolder(), 'runs')
    const error = await whyNot(run([`echo run >> ${file}; echo no luck; exit 7`]))
    expect(error).toMatchObject({
      message: 'The command fails as it is (exit code 7), so no guess can be told from another.',
      output: 'no luck\n',
    })
    expect(readFileSync(file, 'utf8')).toBe('run\nrun\n')
  })

  it.each([
    ['passes, and then fails', 'if [ -e FILE ]; then exit 3; fi; touch FILE', 'it passed, and run again it failed'],
    [
      'fails, and then passes',
      'if [ ! -e FILE ]; then touch FILE; exit 3; fi',
      'it failed (exit code 3), and run again',
    ],
  ])('that %s is flaky', async (_, line, words) => {
    const file = join(newFolder(), 'run-before')
    const error = await whyNot(run([line.replaceAll('FILE', file)]))
    expect(error).toBeInstanceOf(CommandFails)
    expect((error as CommandFails).message).toContain(words)
  })

  it('that hangs is ended, with what it has started', async () => {
    const { command, began, ended } = await startLifeline()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const why = whyNot(run(command, { timeout: 5_000 }))
    await began()
    await vi.advanceTimersByTimeAsync(5_000)
    await vi.advanceTimersByTimeAsync(2_000) // both ignore the first signal
    expect(((await why) as CommandFails).message).toContain('timed out after 5 s')
    expect(await ended()).toBe(2)
  })

  it('that leaves something running has ended it all the same', async () => {
    const { command, ended } = await startLifeline('leaves')
    await expect(run(command)).rejects.toThrow('it has asked no sandbox')
    expect(await ended()).toBe(4)
  })

  it('that asks no sandbox says nothing about any guess', async () => {
    await expect(run(['true'])).rejects.toThrow('it has asked no sandbox')
  })

  it('gets its arguments as they are, without a shell', async () => {
    const file = join(newFolder(), 'argument')
    const script = join(newFolder(), 'write.cjs')
    writeFileSync(script, `require('node:fs').writeFileSync(process.argv[2], process.argv[3])`)
    await whyNot(run([process.execPath, script, file, '$HOME; "two words"']))
    expect(readFileSync(file, 'utf8')).toBe('$HOME; "two words"')
  })

  it('that cannot be started is refused', async () => {
    const file = join(newFolder(), 'no-program')
    writeFileSync(file, '')
    await expect(run([])).rejects.toThrow(/^There is no command to run/)
    const noSuch = 'The command "no-such-command" cannot be started: there is no such command.'
    await expect(run(['no-such-command', '--x'])).rejects.toThrow(noSuch)
    await expect(run([file, '--x'])).rejects.toThrow(/ cannot be started: EACCES\.$/)
  })
})
