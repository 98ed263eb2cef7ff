import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { run } from '../docs/install.ts'
import { startSandbox } from '../for-one-test.ts'

const { workflows } = parse(readFileSync('spec/flows.arazzo.yaml', 'utf8')) as { readonly workflows: readonly object[] }

it('has flows that Redocly can run against a sandbox, whose answers are as documented', async () => {
  const { url } = await startSandbox({ port: 0, assume: { whatsappApproval: 'afterDelay:200' } })
  const words = ['respect', 'spec/flows.arazzo.yaml', '--server', `crm=${url}`, '--input', 'apiKey=demo-key']
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off' }
  const printed = await run(['node_modules/.bin/redocly', ...words], { cwd: '.', env })
  expect(workflows.length).toBeGreaterThan(4)
  expect(printed).toContain(`Workflows: ${workflows.length} passed, ${workflows.length} total`)
})
