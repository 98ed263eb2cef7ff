// Writes what the pages repeat from the code: the options in the README, and the register as a page. With --check nothing
// is written: it says whether what is there is fresh. It reads dist/, so the build comes first.
import { readFile, writeFile } from 'node:fs/promises'
import { format, resolveConfig } from 'prettier'
import { options } from '../dist/mock/options.js'
import { assumptions } from '../dist/spec/assumptions.js'

const pages = { 'README.md': withOptions, 'docs/assumptions.md': registerPage }
const stale = []

for (const [file, make] of Object.entries(pages)) {
  const before = await readFile(file, 'utf8').catch(() => '')
  const after = await format(make(before), { ...(await resolveConfig(file)), filepath: file })
  if (after === before) continue
  if (process.argv.includes('--check')) stale.push(file)
  else await writeFile(file, after)
}

if (stale.length > 0) {
  console.error(`${stale.join(' and ')}: not what the code says; run \`npm run docs:build\`.`)
  process.exitCode = 1
}

function withOptions(page) {
  const [before, , after] = page.split(/(?<=<!-- options: .* -->\n)([^]*)(?=<!-- \/options -->)/)
  if (after === undefined) throw new Error('README.md has no place for the options')
  return `${before}\n${optionsTable()}\n\n${after}`
}

function optionsTable() {
  const rows = Object.values(options).map(
    ({ flag, words, usual, variable }) =>
      `| \`${flag}\` | ${words} | ${usual === undefined ? '' : `\`${usual}\``} | \`${variable}\` |`,
  )
  return ['| option | what it says | default | variable |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

function registerPage() {
  const entries = Object.entries(assumptions)
  const sections = [...new Set(entries.map(([, { section }]) => section))].map((section) => {
    const own = entries.filter(([, entry]) => entry.section === section)
    return `## ${section}\n\n${own.map(entryOf).join('\n\n')}`
  })
  return `${introduction()}\n\n${sections.join('\n\n')}\n`
}

function introduction() {
  return `# The assumptions

<!-- Written by \`npm run docs:build\` from spec/assumptions/*.ts: change those. -->

What the specification leaves open, section by section: the question, what a server could do, and what we assume (in
bold). Choose otherwise with \`--assume name=choice\`, or in a profile. A choice with a number, such as \`perMinute:60\`,
takes any number.

Each entry ends with how a client could find out by asking a server, as far as that is possible.`
}

function entryOf([name, { question, choices, assumed, operations, probe }]) {
  const list = Object.entries(choices).map(([choice, meaning]) => choiceOf(choice, meaning, choice === assumed))
  const concerned = operations === 'all' ? 'all operations.' : `${operations.map(code).join(', ')}.`
  return `### ${name}\n\n${question}\n\n${list.join('\n')}\n\nConcerns: ${concerned} ${probeInWords(probe)}`
}

function choiceOf(choice, meaning, isAssumed) {
  const { words, amount } = typeof meaning === 'string' ? { words: meaning } : meaning
  const written = code(amount ? `${choice}:${amount.usual}` : choice)
  return `- ${isAssumed ? `**${written}**` : written}: ${words}${amount ? ` (a number of ${amount.unit})` : ''}`
}

function probeInWords(probe) {
  if (typeof probe === 'string') return `To find out: ${probe}.`
  if ('sends' in probe) return `To find out, with a message to a person: ${probe.sends}.`
  if ('platform' in probe) return `To find out, by way of the messaging platform: ${probe.platform}.`
  return `Not to be found out by a client: ${probe.never}`
}

function code(text) {
  return `\`${text}\``
}
