import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import type { Command } from 'commander'
import { abortOnSignals, addOptions, addReportOptions } from './command-options.ts'
import { file, listOf, number, onOff, text, type ValuesOf } from '../lib/option-schemas.ts'
import { CannotRun } from '../contracts/client/errors.ts'
import type { Observe } from '../contracts/observe/proxy.ts'
import type { Target } from '../contracts/client/target/target.ts'
import { prepareReports, type ReportFlags, reportFilesOf } from '../contracts/reports/files.ts'
import { endMisuse, printFailure, runCommand } from './command.ts'
import { painterFor } from '../contracts/reports/paint.ts'
import { checkWritable, codeOf, fileError, writeWhole } from '../lib/files.ts'
import { hostName } from '../lib/host.ts'
import { plainLines, pluralize } from '../lib/text.ts'

const schemas = {
  to: text('url', 'the server to forward requests to; with --from, the server whose requests are judged'),
  from: file('judge the requests of a recorded archive (HAR), and send nothing', {
    conflicts: ['port', 'host', 'allowHost', 'block', 'ca', 'insecure'],
  }),
  port: number('the port to listen on, 0 for a free one', { default: '4011' }),
  host: text('address', 'the address to listen on', { default: '127.0.0.1' }),
  allowHost: listOf(text('name', 'another name by which clients and pages may call it; repeatable')),
  alone: onOff('no other client changes these records: judge every promise'),
  block: onOff('refuse a request that is not as documented, with status 400'),
  strict: onOff('exit code 1 also for a warning and for a bad request, and 3 for a request without a response'),
  known: file('a list of known deviations, each with promise, reason and expires'),
  bodies: onOff('show the bodies of requests and responses in findings'),
  record: file('write a world of the records seen, with made-up data in place of people'),
  profile: file('write the choices that the responses settle, for serve --profile; the other lines of the file stay'),
  ca: file('also trust the certificates in this file (PEM)'),
  insecure: onOff('do not check the certificate of the server'),
  junit: file('the same as --report-junit', { conflicts: ['reportJunit'] }),
}

interface Flags extends ValuesOf<typeof schemas>, ReportFlags {
  readonly port: string
  readonly host: string
}

const help = `
Point your client, or your end-to-end suite, at the port: each request is forwarded unchanged, with its credentials, and each
response is returned unchanged. SIGINT or SIGTERM ends the command, with a report.

Where other clients may write to the same records, a promise such as "an update keeps the other fields" cannot be judged. --alone
says that this traffic, live or of an archive, is all there is, from the creation of each record on.

With --from, an archive of recorded traffic is judged in place of the requests of a client. Browsers, Playwright, mitmproxy,
Charles and k6 write HAR, and so does crm-sandbox requests --as har.

Exit codes: 0 no promise was broken, 1 a promise was broken, 2 the command failed, 3 nothing was judged, or with --strict a
request got no response.

Examples:
  $ crm-sandbox observe --to https://staging.example.com --port 4011
  $ crm-sandbox observe --to https://staging.example.com --junit observed.xml --strict
  $ crm-sandbox observe --to https://staging.example.com --record world.yaml
  $ crm-sandbox observe --to http://127.0.0.1:4010 --port 0 --block --bodies
  $ crm-sandbox observe --from traffic.har --alone
  $ crm-sandbox observe --from traffic.har --profile learned.yaml`

/** Adds the command `observe`. */
export function addObserve(program: Command): void {
  const command = program
    .command('observe')
    .description('Report each request and response that is not as specified, of a proxy or of recorded traffic.')
    .addHelpText('after', help)
    .action((flags: Flags) => runCommand(command, () => run(flags).catch((error: unknown) => endEmpty(error, command))))
  addOptions(command, schemas)
  endMisuse(addReportOptions(command, ['junit', 'json', 'html', 'markdown']))
}

/** An archive without requests is no failure of the command. */
async function endEmpty(error: unknown, command: Command): Promise<3> {
  const { NothingToJudge } = await import('../contracts/observe/archive.ts')
  if (!(error instanceof NothingToJudge)) throw error
  printFailure(error, command)
  return 3
}

async function run({
  block = false,
  alone = false,
  strict = false,
  bodies = false,
  known,
  record,
  profile,
  ...flags
}: Flags) {
  const [{ readKnownDeviations }, { LatestSecrets }, { Observations }, { createObserver }] = await Promise.all([
    import('../contracts/known-deviations.ts'),
    import('../lib/redactor.ts'),
    import('../contracts/observe/observations.ts'),
    import('../contracts/observe/observe.ts'),
  ])
  const source = flags.from === undefined ? await openProxy(flags) : await openArchive(flags.from, flags.to)
  const files = { ...reportFilesOf(flags), ...(flags.junit === undefined ? {} : { junit: flags.junit }) }
  prepareReports(files)
  const recorder =
    record === undefined ? undefined : await (await import('../contracts/observe/record.ts')).Recorder.open(record)
  const learned = profile === undefined ? undefined : await openProfile(profile)
  const secrets = new LatestSecrets()
  const observations = new Observations({
    origin: source.origin,
    isBlocking: block,
    strict,
    known: known === undefined ? [] : readKnownDeviations(known),
    redact: secrets.redact,
    onFirst: (line) => write(plainLines(`${line}\n`)),
  })
  const observe = createObserver({
    observations,
    secrets,
    isBlocking: block,
    isAlone: alone,
    showsBodies: bodies,
    recorder,
    choices: learned?.choices,
  })
  await source.observe(observe)
  const { toTerminal } = await import('../contracts/reports/terminal.ts')
  const { writeReportFiles } = await import('../contracts/reports/write.ts')
  const document = observations.toDocument()
  write(toTerminal(document, painterFor(process.stdout.isTTY, process.env)))
  writeReportFiles(files, { json: observations.toJson(), document, cases: observations.toCases() })
  if (recorder) {
    const count = recorder.write()
    const what = count === 0 ? 'nothing, and wrote no file' : `${pluralize(count, 'record')} in ${record ?? ''}`
    write(`Recorded ${what}.\n`)
  }
  if (learned) write(learned.write(source.origin))
  return observations.exitCode
}

/** Collects choices, and adds them to a profile. */
async function openProfile(path: string) {
  const [{ Choices }, { readProfileFile, toProfile }, { version }] = await Promise.all([
    import('../contracts/observe/choices.ts'),
    import('../contracts/learn/profile.ts'),
    import('../lib/version.ts'),
  ])
  const older = existsSync(path) ? readProfileFile(path) : undefined
  try {
    checkWritable(path)
  } catch (error) {
    throw new CannotRun(`${fileError(`The profile ${path}`, 'written', error)}.`, { option: 'profile' })
  }
  const choices = new Choices()
  const at = new Date().toISOString()
  return {
    choices,
    write(origin: string): string {
      const { findings } = choices
      const settled = findings.filter(({ finding }) => finding.outcome === 'seen')
      if (settled.length === 0) return `The traffic settles no choice, so ${path} is not written.\n`
      writeWhole(path, toProfile({ origin, at, entries: findings, how: 'seen' }, version, older))
      return `Wrote ${pluralize(settled.length, 'choice')} that the traffic settles to ${path}.\n`
    },
  }
}

const write = (text: string) => process.stdout.write(text)

/** Where the exchanges come from. */
interface Source {
  readonly origin: string
  /** Resolves when there are no more. */
  observe(observe: Observe): Promise<void> | void
}

async function openArchive(path: string, to: string | undefined): Promise<Source> {
  const [{ createTarget }, { readArchive, replay }] = await Promise.all([
    import('../contracts/client/target/target.ts'),
    import('../contracts/observe/archive.ts'),
  ])
  const wanted = to === undefined ? undefined : createTarget({ baseUrl: to }, {}).origin
  const { origin, exchanges, others } = readArchive(path, wanted)
  return {
    origin,
    observe(observe) {
      const rest = others === 0 ? '' : `, and leaves out ${pluralize(others, 'request')} to other servers`
      write(`crm-sandbox observe judges ${pluralize(exchanges.length, 'request')} to ${origin}${rest}\n`)
      replay(exchanges, observe)
    },
  }
}

async function openProxy({ to, port, host, allowHost = [], ca, insecure }: Flags): Promise<Source> {
  const [{ createTarget }, proxy] = await Promise.all([
    import('../contracts/client/target/target.ts'),
    import('../contracts/observe/proxy.ts'),
  ])
  if (to === undefined)
    throw new CannotRun('There is nothing to observe: name a server with --to, or an archive with --from.')
  const target = createTarget({ baseUrl: to, ca, insecure }, {})
  refuseItself(target, readPort(port), host)
  const guard = proxy.guardFor(host, allowHost.map(readAllowedHost))
  return {
    origin: target.origin,
    async observe(observe) {
      const server = proxy.createProxy(target, observe, guard)
      const url = await proxy.listen(server, readPort(port), host).catch((error: unknown) => {
        const why = String(codeOf(error))
        throw new CannotRun(
          (nameOf) => `${host}, port ${port}, cannot be opened (${why}): choose another ${nameOf('port')}.`,
        )
      })
      const signal = abortOnSignals(write, 'the report follows.')
      write(`crm-sandbox observe listens on ${url} and forwards each request to ${target.origin}\n`)
      await once(signal, 'abort')
      await proxy.close(server)
    },
  }
}

/** A proxy in front of itself would forward each request forever. */
function refuseItself({ origin, loopback }: Target, port: number, host: string): void {
  const { protocol, hostname, port: written } = new URL(origin)
  const ofMachine = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses)
  const isOfMachine = loopback || ofMachine.some(({ address }) => address === hostname.replace(/^\[|\]$/g, ''))
  const isOwnHost =
    hostname === host ||
    (loopback && /^(127\.|localhost$|::1$)/.test(host)) ||
    (isOfMachine && /^(::|0\.0\.0\.0)$/.test(host))
  if (protocol === 'http:' && Number(written || 80) === port && isOwnHost)
    throw new CannotRun(
      (nameOf) => `${nameOf('to')} is the address of observe itself: choose another ${nameOf('port')}.`,
    )
}

function readAllowedHost(text: string): string {
  const name = hostName(text)
  if (name === undefined)
    throw new CannotRun(
      (nameOf) => `${nameOf('allowHost')} must be a name without a port, such as observe.example.com.`,
    )
  return name
}

function readPort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new CannotRun((nameOf) => `${nameOf('port')} must be a number from 0 to 65535, such as 4011.`)
  return Number(text)
}
