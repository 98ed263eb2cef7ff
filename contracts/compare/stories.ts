import { fieldsOf } from '../client/answer.ts'
import { affordable, rows } from '../client/operations.ts'
import { drawsOf } from '../situations/pairs.ts'
import { situations } from '../situations/situations.ts'
import type { Target } from '../client/target/target.ts'
import type { Story, StoryTools } from '../judge/story.ts'
import { describedOperations, document, membersOf, resolve, type Schema } from '../../spec/document.ts'
import { operations } from '../../spec/operations.ts'
import type { OperationId } from '../../spec/types.ts'

export interface ToldStory {
  /** The kind of the story. */
  readonly about: string
  readonly story: Story
}

/** The stories of a round, in a drawn order that mixes the kinds of stories evenly. */
export function storiesOfRound(seed: number, target: Target): readonly ToldStory[] {
  const draw = drawsOf(seed)
  const fields = affordable({ target }, 'all').map((id) => ({ about: 'fields', story: eachField(id) }))
  const all: readonly ToldStory[] = [...situations(seed, 1), ...fields]
  const told = new Map<string, number>()
  const ranked = all
    .filter(({ about }) => !last.includes(about) && isToldTo(target, about))
    .map((one) => {
      const { length } = all.filter(({ about }) => about === one.about)
      const before = told.get(one.about) ?? 0
      told.set(one.about, before + 1)
      return { one, rank: (before + draw()) / length }
    })
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ one }) => one)
  const sends: readonly ToldStory[] = target.loopback ? [] : [{ about: 'messages', story: sendToRecipients }]
  return [...sends, ...ranked, ...all.filter(({ about }) => last.includes(about) && isToldTo(target, about))]
}

/** Their requests are many, and few servers differ in their answers alone. */
const last: readonly string[] = ['refusals', 'operations']

/** Other stories would send messages to contacts that existed before the run. */
const isToldTo = ({ loopback }: Target, about: string) =>
  loopback || ['contacts', 'records', 'templates', 'fields', 'operations'].includes(about)

/** Each field that the document lists for an operation, a few in each request: as JSON and, where the document has one, as a form. */
const eachField =
  (operation: OperationId): Story =>
  async (tools) => {
    const schema = bodies.get(operation)?.content['application/json']?.schema
    const shape = operations[operation].body('application/json')
    if (!schema || !shape) return
    const { properties } = membersOf(document, schema)
    const request = async () => rows[operation].request(tools.subjects, tools)
    const usual = fieldsOf((await request()).body)
    const names = [...shape.listed(usual)].filter((name) => !(name in usual) && !references.test(name))
    for (let at = 0; at < names.length; at += 4) {
      const { body, ...input } = await request()
      const all: Record<string, unknown> = { ...fieldsOf(body) }
      for (const name of names.slice(at, at + 4)) {
        const { enum: values = [] } = resolve<Schema>(document, properties[name] ?? {})
        const fitting = [...values, ...valuesFor(name, tools)].find((one) => !shape.complaint({ ...all, [name]: one }))
        if (fitting !== undefined) all[name] = fitting
      }
      const isForm = at > 0 && operations[operation].contentTypes.length > 1
      await tools.attempt(operation, { ...input, ...(isForm ? { form: toForm(all) } : { body: all }) })
    }
  }

const bodies = new Map(describedOperations(document).map(({ operationId, requestBody }) => [operationId, requestBody]))

/** A form holds texts, and lists as JSON. */
const toForm = (fields: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  )

/** The records that these name, or the fields that go with them, are what other stories are about. */
const references = /^(?:to|scheduleTime|file|templateId|.*Parameters|header.*|isHeader)$|Ids?$/

const valuesFor = (name: string, { mint }: StoryTools): readonly unknown[] => [
  ...(/url$/i.test(name) ? ['https://www.example.com/engine.png'] : []),
  ...(/date$/i.test(name) ? ['2030-06-30', '2030-06-30T09:00:00.000Z'] : []),
  ...(/email$/i.test(name) ? [mint.email()] : []),
  ...(/phone/i.test(name) ? [mint.phone()] : []),
  ...(name === 'attachments'
    ? [[{ fileName: 'plan.pdf', mediaType: 'file', mediaUrl: 'https://www.example.com/plan.pdf' }]]
    : []),
  ...(name === 'templateButtons' ? [[{ type: 'QUICK_REPLY', text: 'Thanks' }]] : []),
  ...[mint.name(name), 12, false, [mint.name(name)], { favouriteColour: mint.name(name) }],
]

const sendToRecipients: Story = async ({ attempt, recipient, some }) => {
  await attempt('sendEmailMessage', { body: some.email({ to: recipient.email() }) })
  await attempt('sendMessage', { body: some.text({ to: recipient.phone() }) })
}
