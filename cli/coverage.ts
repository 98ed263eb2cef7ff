import { writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { fileError } from '../lib/files.ts'
import { plainLines } from '../lib/text.ts'
import { UserError } from '../lib/user-error.ts'
import { coverageAsMarkdown, coverageInText } from '../mock/control/coverage-in-words.ts'
import { control } from '../mock/testing/control-client.ts'
import { addOptions } from './command-options.ts'
import { file, number, onOff } from '../lib/option-schemas.ts'
import { addressOf, addUrlOption, sentenceFor, tokenHelp } from './running-sandbox.ts'

interface Flags {
  readonly url: string
  readonly ca?: string
  readonly json?: true
  readonly markdown?: string
  readonly failUnder?: string
}

const help = `
The outcomes of an operation are success, the documented refusals that the sandbox can give without a fault, and the response
to a repeated Idempotency-Key. They are counted since the sandbox started; a reset keeps the counts.
${tokenHelp}

Exit codes: 0 the coverage is high enough, 1 it is under --fail-under, or the sandbox does not answer.

Examples:
  $ crm-sandbox coverage
  $ crm-sandbox coverage --markdown coverage.md --fail-under 80`

export function addCoverage(program: Command): void {
  const command = program
    .command('coverage')
    .description('Show which operations and outcomes the requests to a sandbox have covered.')
    .addHelpText('after', help)
    .action(run)
  addUrlOption(command)
  addOptions(command, {
    markdown: file('also write a table of all operations, for the summary of a CI job'),
    failUnder: number('the least percentage of the outcomes; less is exit code 1'),
    json: onOff('print JSON'),
  })
}

async function run({ url, ca, json, markdown, failUnder = '0' }: Flags): Promise<void> {
  const least = Number(failUnder)
  if (!/^\d+(?:\.\d+)?$/.test(failUnder) || least > 100)
    throw new UserError((nameOf) => `${nameOf('failUnder')} must be a percentage, from 0 to 100.`)
  const coverage = await control(addressOf(url, ca))
    .coverage()
    .catch((error: unknown) => {
      throw sentenceFor(error, url)
    })
  if (markdown !== undefined) writeMarkdown(markdown, coverage)
  process.stdout.write(`${json ? JSON.stringify(coverage) : plainLines(coverageInText(coverage))}\n`)
  if (coverage.percent < least)
    throw new UserError(`The coverage is ${coverage.percent}%, which is under ${failUnder}%.`)
}

export function writeMarkdown(path: string, coverage: Parameters<typeof coverageAsMarkdown>[0]): void {
  try {
    writeFileSync(path, coverageAsMarkdown(coverage))
  } catch (error) {
    throw new UserError(`${fileError(`The file ${path}`, 'written', error)}.`, { option: 'markdown' })
  }
}
