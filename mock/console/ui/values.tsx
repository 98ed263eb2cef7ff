import type { ComponentChildren } from 'preact'
import { containsWords, wordsIn } from '../../../lib/text.ts'

type Tone = 'good' | 'bad' | 'waiting'

/** The colour of what a status means. */
const tones: Readonly<Record<Tone, readonly string[]>> = {
  good: ['delivered', 'read', 'approved', 'accepted', 'won', 'open', 'sent', 'used'],
  bad: ['bounced', 'failed', 'rejected', 'declined', 'lost', 'held'],
  waiting: ['pending', 'queued', 'scheduled', 'waiting', 'draft'],
}

const toneOf = (status: string) =>
  (['good', 'bad', 'waiting'] as const).find((tone) => tones[tone].includes(status.toLowerCase()))

/** A status as a word in a colour. */
export function Badge({ children, tone }: { readonly children: ComponentChildren; readonly tone?: Tone | undefined }) {
  const known = typeof children === 'string' ? toneOf(children) : undefined
  return <span class={`badge ${tone ?? known ?? ''}`}>{children}</span>
}

const [form, exactForm] = (['short', 'medium'] as const).map(
  (timeStyle) => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle }),
)

interface TimeProps {
  readonly at: string | undefined
  /** Whether it has seconds. */
  readonly isExact?: boolean
}

/** A moment in the time zone of the reader; its title is the moment as it is stored. */
export function Time({ at, isExact = false }: TimeProps) {
  const date = new Date(at ?? '')
  if (at === undefined || Number.isNaN(date.getTime())) return <>{at ?? ''}</>
  return (
    <time dateTime={at} title={at}>
      {(isExact ? exactForm : form)?.format(date)}
    </time>
  )
}

interface ItemProps {
  readonly title: string
  /** Whether it is a list of links or texts. */
  readonly isList?: boolean
  /** Without them, nothing is shown. */
  readonly children: ComponentChildren
}

/** A fact in a list of fields. */
export function Item({ title, isList, children }: ItemProps) {
  if (children === undefined || children === null || children === '') return null
  return (
    <div>
      <dt>{title}</dt>
      <dd class={isList ? 'list' : undefined}>{children}</dd>
    </div>
  )
}

/** In characters: a browser needs seconds to lay out a longer text. */
const longest = 100_000

/** A value as JSON. */
export function Json({ value }: { readonly value: unknown }) {
  return (
    <pre class="json" tabIndex={0}>
      {cutText(typeof value === 'string' ? value : JSON.stringify(value, null, 2), longest)}
    </pre>
  )
}

/** The beginning of a long text, and how much longer it is. */
export const cutText = (text: string, most: number) =>
  text.length > most ? `${text.slice(0, most)} … (${(text.length - most).toLocaleString()} more characters)` : text

/** Whether the JSON of a value contains all words of a search. */
export const contains = (value: object, search: string) =>
  search === '' || containsWords(JSON.stringify(value), wordsIn(search))

interface NamedTeam {
  readonly teamId: string
  readonly name: string
}

/** The name of a team, with its id if another team has the same name. */
export const labelOf = ({ teamId, name }: NamedTeam, teams: readonly NamedTeam[]) =>
  teams.some((other) => other.name === name && other.teamId !== teamId) ? `${name} (${teamId})` : name

/** The first of these texts that is not empty, and at most 200 characters of it: a name can be as long as a body. */
export function firstText(...texts: readonly (string | null | undefined)[]): string {
  return (texts.find((text) => text !== undefined && text !== null && text !== '') ?? '').slice(0, 200)
}
