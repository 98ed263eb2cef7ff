import { readText } from '../lib/files.ts'
import { parseJson } from '../lib/json.ts'
import { operations } from '../spec/operations.ts'
import { type PromiseId, promises } from '../spec/promises.ts'
import { type Fields, fieldsOf } from './client/answer.ts'
import { CannotRun } from './client/errors.ts'
import type { StoryStep } from './judge/steps.ts'

/** The requests of a finding, and the promise that it is about, if the file says so. */
export interface StoryFile {
  readonly promise?: PromiseId
  readonly steps: readonly StoryStep[]
}

/** Reads the story of a finding: from a JSON report, from one of its findings, or from the list of its requests. */
export function readStory(path: string, only: readonly string[] = []): StoryFile {
  const refuse = (sentence: string) => new CannotRun(sentence, { option: 'story' })
  const file = parseJson(readText(path, `The story ${path}`, refuse))
  const all = [fieldsOf(file).promises]
    .flat()
    .flatMap((one) => [fieldsOf(one).findings].flat())
    .concat(Array.isArray(file) ? { story: file } : file)
    .map(fieldsOf)
    .filter(({ story }) => Array.isArray(story) && story.length > 0)
  const chosen = all.filter(
    ({ promise }) => only.length === 0 || promise === undefined || only.some((id) => id === promise),
  )
  const names = [...new Set(chosen.map(({ promise }) => String(promise)))]
  if (names.length > 1)
    throw refuse(
      `${path} has the stories of ${names.length} promises: choose one with --only, such as --only ${names[0] ?? ''}.`,
    )
  const [{ promise, story } = {}] = chosen
  if (all.length > 0 && chosen.length === 0) throw refuse(`${path} has no story of ${only.join(', ')}.`)
  if (!isStory(story))
    throw refuse(`${path} is no story: it must be the JSON report of a run that found something, or a story in it.`)
  if (
    story.some(({ input }) =>
      Object.values(input.form ?? {}).some((one) => typeof one === 'object' && !Array.isArray(one)),
    )
  )
    throw refuse(`${path} sends a file, which a report leaves out: run the check of ${String(promise)} with --only.`)
  const known = promises.find(({ id }) => id === promise)
  return { steps: story, ...(known ? { promise: known.id } : {}) }
}

const isStory = (value: unknown): value is StoryStep[] =>
  Array.isArray(value) && value.length > 0 && value.map(fieldsOf).every(isStep)

function isStep({ operation, input }: Fields): boolean {
  const known = Object.values(operations).find(({ id }) => id === operation)
  const { path, caller = 'team' } = fieldsOf(input)
  const names = [...(known?.path.matchAll(/\{(\w+)\}/g) ?? [])].map(([, name = '']) => name)
  const isCaller = typeof caller === 'object' || callers.some((one) => one === caller)
  return known !== undefined && isCaller && names.every((name) => typeof fieldsOf(path)[name] === 'string')
}

const callers = ['team', 'otherTeam', 'admin', 'agent', 'nobody']
