import { describe, it } from 'vitest'
import { startSandbox } from '../for-one-test.ts'
import { inTier, sampleOf } from '../tier.ts'
import { answering, expectError } from './command.ts'

const commands = ['ctl teams list', 'requests', 'coverage', 'mcp']

const needsToken = /^error: The sandbox at \S+ requires its control token, in CRM_SANDBOX_CONTROL_TOKEN\.$/
const withToken = async () => (await startSandbox({ port: 0, controlToken: 'a-token-of-16-characters' })).url
const isOther = /^error: The server at \S+ is not the control plane of a sandbox; check the URL\.$/
const noUrl = /^error: --url must be a URL without a path, such as http:\/\/127\.0\.0\.1:4010\.$/

type Failure = [at: string, start: () => Promise<string>, sentence: RegExp, variables?: Record<string, string>]

const failures: readonly Failure[] = [
  ['a word', async () => 'nowhere', noUrl],
  ['a URL with a path', async () => 'http://127.0.0.1:4010/api', noUrl],
  // Where nothing answers over HTTP, `mcp` starts a sandbox.
  ['a free port', async () => 'https://127.0.0.1:1', /^error: Nothing answers at https:\/\/127\.0\.0\.1:1; start a /],
  ['another server', () => answering(200, '<html>'), isOther],
  ['a server of JSON', () => answering(200, '{"name":"Ada"}'), isOther],
  ['a server of lists', () => answering(200, '[null]'), isOther],
  ['a server that refuses', () => answering(401, '{"success":false,"message":"no"}'), isOther],
  ['a sandbox with a control token', withToken, needsToken],
  ['a sandbox with another token', withToken, needsToken, { CRM_SANDBOX_CONTROL_TOKEN: 'another-token-of-it' }],
]

const all = commands.flatMap((command) => failures.map((failure) => ({ command, at: failure[0], failure })))

describe('a command for a running sandbox fails with one sentence', () => {
  it.each(sampleOf(all, inTier({ test: 7, nightly: all.length })))('$command at $at', async ({ command, failure }) => {
    const [, start, sentence, variables] = failure
    await expectError([...command.split(' '), '--url', await start()], sentence, 1, variables)
  })
})
