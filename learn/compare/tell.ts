import type { Target } from '../../client/target/target.ts'
import { assumption } from '../../spec/assumptions.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import { operations } from '../../spec/operations.ts'
import { toCurlLines } from './curl.ts'
import { draftEntry } from './draft-entry.ts'
import type { ToldDifference } from './rounds.ts'
import type { Done } from './side.ts'

export interface TellOptions {
  readonly target: Target
  readonly choices: WrittenChoices
  readonly redact: (text: string) => string
}

/** A difference in words. */
export interface Told {
  /** The operation whose answers differ. */
  readonly operation: string
  readonly requests: readonly { readonly request: string; readonly server: string; readonly sandbox: string }[]
  /** Where the last answers differ. */
  readonly places: readonly { readonly path: string; readonly server: string; readonly sandbox: string }[]
  readonly curl: readonly string[]
  /** The choices with which the sandbox does what the server did. */
  readonly explainedBy: readonly { readonly name: string; readonly choice: string; readonly instead: string }[]
  /** An entry for the register, if none explains it. */
  readonly draft?: string
}

export async function tellDifference(told: ToldDifference, { target, choices, redact }: TellOptions): Promise<Told> {
  const { walk, difference, server, sandbox, explanations } = told
  const show = (value: unknown) => redact(inWords(value))
  const places = difference.places.map((place) => ({
    path: place.path,
    server: show(place.server),
    sandbox: show(place.sandbox),
  }))
  return {
    operation: difference.operation,
    requests: walk.map(({ n, operation }) => ({
      request: `${operations[operation].method.toUpperCase()} ${operations[operation].path}`,
      server: statusOf(server.get(n)),
      sandbox: statusOf(sandbox.get(n)),
    })),
    places,
    curl: (await toCurlLines(walk, target)).map(redact),
    explainedBy: explanations.map(({ name, written }) => ({
      name,
      choice: written,
      instead: choices[name] ?? assumption(name).assumed,
    })),
    ...(explanations.length === 0 ? { draft: draftEntry(walk, difference.operation, places) } : {}),
  }
}

const statusOf = (done: Done | undefined) => (done?.outcome === 'answered' ? String(done.status) : 'no answer')

const longestValue = 60

/** A value of an answer; which id or time it is differs from run to run. */
function inWords(value: unknown): string {
  if (value === undefined) return 'absent'
  const text = JSON.stringify(value, (_, inside: unknown) => plain(inside))
  const words = typeof plain(value) === 'string' && typeof value === 'object' ? String(plain(value)) : text
  return words.length > longestValue ? `${words.slice(0, longestValue)}…` : words
}

function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 1) return value
  if ('id' in value) return 'an id'
  return 'time' in value ? times[value.time as keyof typeof times] : value
}

const times = { first: 'a time', inexact: 'a time', same: 'the same time as before', other: 'another time than before' }
