import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { addCtl, wordsOf } from '../../cli/ctl.ts'
import { tools } from '../../cli/mcp-tools.ts'
import { type Action, actions } from '../../mock/control/actions.ts'
import { control } from '../../mock/testing/control-client.ts'
import { newFile, serverThat, startSandbox } from '../for-one-test.ts'
import { ended, expectError, fewOf, run, spawnCli } from './command.ts'

const all = actions()
/** `ctl changes --expect FILE` asks it. */
const ofOption = 'POST /changes/expect'
const commandOf = (action: Action) =>
  wordsOf(action, {})
    .slice(1, action.names.length + 1)
    .join(' ')

describe('the actions', () => {
  it('have the names of the functions of createSandbox', () => {
    const names = (controls: object, before = ''): string[] =>
      Object.entries(controls).flatMap(([name, member]: [string, unknown]) => [
        ...(typeof member === 'function' ? [before + name] : []),
        ...names(member as object, `${before}${name}.`),
      ])
    // `ctl` adds these to the actions.
    const shortcuts = ['clock.freeze', 'clock.resume', 'gates.wait', 'team']
    const functions = names(control({ url: 'http://127.0.0.1:1' })).filter((name) => !shortcuts.includes(name))
    const named = all.map(({ names }) => names.join('.')).filter((name) => name !== 'document')
    expect(named.toSorted()).toEqual(functions.toSorted())
  })

  it('are commands of ctl, except the actions for programs', async () => {
    const program = new Command().exitOverride().configureOutput({ writeOut: () => undefined })
    addCtl(program)
    await expect(program.parseAsync(['ctl', '--help'], { from: 'user' })).rejects.toThrow('outputHelp')
    const words = ({ commands }: Pick<Command, 'commands'>, before = ''): string[] =>
      commands.flatMap((one) => [before + one.name(), ...words(one, `${before}${one.name()} `)])
    const known = words(program).map((one) => one.replace(/^ctl /, ''))
    const missing = all.filter((action) => !known.includes(commandOf(action)))
    expect(missing.map(({ names }) => names.join('.'))).toEqual([
      'live',
      'ready',
      'document',
      'changes.expect',
      'events.follow',
    ])
  })

  it('that an assistant needs are tools of mcp', () => {
    const offered = tools().map(({ name, inputSchema: { properties } }) => {
      const { action } = properties as { readonly action?: { readonly enum: readonly string[] } }
      return `${name} ${(action?.enum ?? []).join(' ')}`.trim()
    })
    expect(offered).toEqual([
      'state',
      'requests find get',
      'records',
      'changes',
      'outbox',
      'incoming',
      'faults add list clear',
      'clock advance set',
      'assumptions get set reset',
      'snapshots save restore reset',
    ])
  })
})

describe('ctl', () => {
  it('carries out an action, and prints the message with the fields, or a table', async () => {
    const sandbox = await startSandbox({ port: 0, world: 'two-teams' })
    const at = { CRM_SANDBOX_URL: sandbox.url }
    const added = await run(
      ['ctl', 'faults', 'add', '--operation', 'sendMessage', '--status', '503', '--times', '1'],
      at,
    )
    expect(added).toEqual({
      code: 0,
      stderr: '',
      stdout: [
        'Fault added',
        'id         fault-1',
        'operation  sendMessage',
        'times      1',
        'status     503',
        'fired      0',
        'matched    0',
        'usedUp     false',
        '',
      ].join('\n'),
    })
    expect(await sandbox.faults.list()).toMatchObject([{ operation: 'sendMessage', status: 503, times: 1 }])
    const { stdout } = await run(['ctl', 'teams', 'list', '--url', sandbox.url])
    expect(stdout).toBe('teamId  name\nacme    Acme\nglobex  Globex\n')
    const { stdout: none } = await run(['ctl', 'snapshots', 'list'], at)
    expect(none).toBe('Snapshots found: none\n')
  })

  it('prints the data as JSON, escaped, and a world without a message', async () => {
    const { url } = await startSandbox({ port: 0, world: 'two-teams' })
    const at = { CRM_SANDBOX_URL: url }
    const name = 'Ini\u202etech'
    expect((await run(['ctl', 'teams', 'create', '--name', name], at)).code).toBe(0)
    const { stdout } = await run(['ctl', 'teams', 'list', '--json'], at)
    expect(stdout).not.toContain(name)
    expect(JSON.parse(stdout)).toMatchObject([{ teamId: 'acme' }, { teamId: 'globex' }, { name }])
    expect((await run(['ctl', 'teams', 'list'], at)).stdout).toContain('Ini?tech')
    expect((await run(['ctl', 'reset', '--json'], at)).stdout).toBe('null\n')
    const world = newFile('world.json', (await run(['ctl', 'world', '--team-id', 'globex'], at)).stdout)
    expect(await run(['ctl', 'load-world', world], at)).toMatchObject({
      code: 0,
      stdout: 'teamId  name\nglobex  Globex\n',
    })
  })

  it('prints a text as it is', async () => {
    const { url } = await startSandbox({ port: 0 })
    const { stdout } = await run(['ctl', 'metrics', '--url', url])
    expect(stdout).toMatch(/^# HELP crm_sandbox_info .+\n# TYPE crm_sandbox_info gauge\n/)
    expect(stdout).toMatch(/[^\n]\n$/)
  })

  it('reads fields of each type: switches, JSON, a file, and name=value', async () => {
    const sandbox = await startSandbox({ port: 0, world: 'two-teams' })
    const at = { CRM_SANDBOX_URL: sandbox.url }
    const ask = async (...words: string[]) => {
      const { code, stderr } = await run(['ctl', ...words], at)
      expect(code, stderr).toBe(0)
    }
    await ask('clock', 'set', '--now', '2030-01-31T09:00:00Z', '--frozen')
    expect(await sandbox.clock.read()).toEqual({ now: '2030-01-31T09:00:00.000Z', frozen: true })
    await ask('clock', 'resume')
    expect((await sandbox.clock.read()).frozen).toBe(false)
    await ask('clock', 'set', '2031-01-31')
    await ask('clock', 'freeze')
    expect(await sandbox.clock.read()).toMatchObject({
      now: expect.stringMatching(/^2031-01-31/) as string,
      frozen: true,
    })
    await ask('clock', 'freeze', '2030-01-31')
    await ask('tokens', 'sign', '--role', 'agent', '--team-id', 'acme')
    await ask('incoming', 'add', 'acme', '--channel', 'sms', '--from', '+14155550177', '--content', 'Hi')
    await ask('incoming', 'add', '--team-id', 'acme', 'sms', '+14155550177', 'there')
    expect((await sandbox.records('acme', 'messages', { where: { channel: 'sms' } })).total).toBe(2)
    await ask('assumptions', 'set', 'contactMatching=phoneThenEmail', 'rateLimit=perMinute:60', '--team-id', 'acme')
    expect((await sandbox.assumptions.get('rateLimit', { teamId: 'acme' })).choice).toBe('perMinute:60')
    const responses = newFile('responses.json', '[{ "status": 429 }, { "status": 500 }]')
    await ask('faults', 'add', '--responses', `@${responses}`, '--where', 'unitPrice=3', '--where', 'name=Cog')
    await ask(
      'faults',
      'add',
      '--body',
      '{"a":[1]}',
      '--headers',
      'x-limit=0',
      '--retry-after',
      '5s',
      '--status',
      '429',
    )
    expect(await sandbox.faults.list()).toMatchObject([
      { responses: [{ status: 429 }, { status: 500 }], where: { unitPrice: 3, name: 'Cog' } },
      { body: { a: [1] }, headers: { 'x-limit': '0' }, retryAfter: '5s' },
    ])
    const { stdout } = await run(['ctl', 'records', 'acme', 'contacts', '--where', 'firstName=Nobody', '--json'], at)
    expect(JSON.parse(stdout)).toMatchObject({ total: 0, records: [] })
  })

  it('reads the URL from a config file, and the control token from its variable', async () => {
    const controlToken = 'a-token-of-16-characters'
    const { url } = await startSandbox({ port: 0, controlToken })
    const file = newFile('config.json', JSON.stringify({ ctl: { url } }))
    const args = ['ctl', 'teams', 'list', '--config', file]
    expect(await run(args, { CRM_SANDBOX_CONTROL_TOKEN: controlToken })).toMatchObject({ code: 0 })
  })

  it('follows requests until the sandbox ends', async () => {
    const sandbox = await startSandbox({ port: 0 })
    const child = spawnCli(['ctl', 'requests', 'follow'], { CRM_SANDBOX_URL: sandbox.url })
    const over = ended(child)
    const seen = new Promise((resolve) => child.stdout.once('data', resolve))
    const ask = setInterval(() => void sandbox.fetch('/api/templates'), 50)
    await seen
    clearInterval(ask)
    await sandbox.close()
    const { stdout, code } = await over
    expect(code).toBe(0)
    expect(stdout).toMatch(/^\{"id":.*\}\n/)
  })

  it('shows the nouns, the verbs and the fields in its help, with an example', async () => {
    expect((await run(['ctl', '--help'])).stdout).toMatch(/^ {2}faults +Requests that fail/m)
    expect((await run(['ctl', 'clock', '--help'])).stdout).toMatch(/^ {2}advance <by> +Advance the clock$/m)
    const { stdout } = await run(['ctl', 'clock', 'advance', '--help'])
    expect(stdout).toContain('Example:\n  $ crm-sandbox ctl clock advance 2d\n')
    expect((await run(['ctl', 'outbox', 'report', '--help'])).stdout).toContain('One of delivered, read, bounced.')
  })

  it.each(fewOf(['ctl', 'ctl clock', 'ctl clock advance', 'serve', '']))(
    'shows the same with the command help: %s',
    async (words) => {
      const names = words.split(' ').filter((word) => word !== '')
      const { stdout } = await run([...names, '--help'])
      expect(stdout).toContain(`Usage: crm-sandbox${words === '' ? '' : ` ${words}`} [`)
      expect(await run(['help', ...names])).toEqual({ code: 0, stdout, stderr: '' })
    },
  )
})

describe('the example in the help', () => {
  it.each(fewOf(all.filter(({ example, key }) => example && key !== ofOption)))(
    'sends its body: $key',
    async (action) => {
      const { example = {}, fields } = action
      let sent: unknown
      const url = await serverThat((request, response) => {
        response.setHeader('x-sandbox-request', 'one')
        request.setEncoding('utf8').on('data', (text: string) => (sent = JSON.parse(text)))
        request.on('end', () => response.end('{"success":true,"message":"Done"}'))
      })
      const words = wordsOf(action, example).map((word) => (word === 'shop.yaml' ? 'empty' : word))
      const { stderr, stdout } = await run(words, { CRM_SANDBOX_URL: url })
      expect(stderr).toBe('')
      expect(stdout).toBe('Done\n')
      expect(sent).toEqual(fields.some(({ place }) => place === 'world') ? expect.anything() : example)
    },
  )
})

describe('a wrong command', () => {
  const wrong: [words: string, sentence: RegExp][] = [
    ['fautls list', /unknown command 'fautls' \(Did you mean faults\?\)$/],
    ['events follow', /unknown command 'events'/],
    ['faults ad', /unknown command 'ad' \(Did you mean add\?\)$/],
    ['faults add --statsu 503', /unknown option '--statsu' \(Did you mean --status\?\)$/],
    ['clock advance', /^error: ctl clock advance needs <by>\.$/],
    ['incoming add acme --channel sms', /^error: ctl incoming add needs <from> <content>\.$/],
    ['clock freeze 2030-01-01 2031-01-01', /too many arguments/],
    ['gates wait gate-9', /^error: there is no gate gate-9/],
    ['records acme contacts --where emial=a', /^error: contacts have no field emial; did you mean email\?$/],
    ['clock advance 1h 2h', /too many arguments/],
    ['clock set --frozen maybe', /^error: frozen must be true or false\.$/],
    ['snapshots restore befor', /^error: there is no snapshot befor; did you mean before\?$/],
    ['faults add --responses [{', /^error: --responses is not JSON\.$/],
    ['faults add --responses @nowhere.json', /^error: The file nowhere.json cannot be read \(ENOENT\)\.$/],
    ['faults add --where name', /^error: --where must be name=value, or a JSON object\.$/],
    ['assumptions set contactMatching', /^error: --choices must be name=value, or a JSON object\.$/],
    ['load-world nowhere', /^error: There is no world nowhere;?/],
  ]

  it.each(fewOf(wrong))('is refused in a sentence, and changes nothing: %s', async (words, sentence) => {
    const sandbox = await startSandbox({ port: 0, world: 'two-teams' })
    await sandbox.snapshots.save('before')
    await expectError(['ctl', ...words.split(' ')], sentence, 1, { CRM_SANDBOX_URL: sandbox.url })
    expect(await sandbox.faults.list()).toEqual([])
    expect(await sandbox.changes()).toEqual({})
  })
})
