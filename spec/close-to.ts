import { quoteUnlessPlain } from '../lib/text.ts'

/** The words most similar to a text, the closest first, at most three. */
export function closeTo(text: string, words: readonly string[]): string[] {
  if (text.length > 64) return [] // longer than any name
  return words
    .map((word) => ({ word, likeness: likeness(text, word) }))
    .filter(({ likeness }) => likeness > 0.5)
    .sort((one, other) => other.likeness - one.likeness)
    .slice(0, 3)
    .map(({ word }) => word)
}

/** The words that are close to a misspelt one, as the end of a sentence; empty when there are none. */
export function suggest(text: string, words: readonly string[]): string {
  const close = [...new Set(closeTo(text, words))]
  return close.length === 0 ? '' : `; close to it: ${close.join(', ')}`
}

/** Such as `There is no story shopp; did you mean shop? There are shop, clinic, agency.` */
export function noSuch(what: string, name: string, known: readonly string[]): string {
  const [close] = closeTo(name, known)
  const hint = close === undefined ? '.' : `; did you mean ${close}?`
  return `There is no ${what} ${quoteUnlessPlain(name)}${hint} There are ${known.join(', ')}.`
}

/** Names the fields or parameters that an operation does not have, such as `createContact has no field emial (did you mean email?)`. */
export function nameUnlisted(
  unlisted: readonly string[],
  listed: ReadonlySet<string>,
  id: string,
  word: string,
): string {
  const names = unlisted.slice(0, mostUnlisted).map((name) => {
    const [meant] = closeTo(name, [...listed])
    return `${quoteUnlessPlain(name)}${meant === undefined ? '' : ` (did you mean ${meant}?)`}`
  })
  const others = unlisted.length > mostUnlisted ? `, and ${unlisted.length - mostUnlisted} others` : ''
  return `${id} has no ${word} ${names.join(', ')}${others}`
}

const mostUnlisted = 3

/** From 0 to 1: either the letters are nearly the same, or the parts are, in whatever order. */
function likeness(one: string, other: string): number {
  const ofLetters = 1 - slips(one, other) / Math.max(1, one.length, other.length)
  return Math.max(sharedPairs(one, other), ofLetters, beginsWith(one, other) ? 0.6 : 0)
}

/** Whether one is a longer name for the other, such as `phoneNumber` for `phone`. */
function beginsWith(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return short.length >= 4 && long.startsWith(short) && /^[A-Z][A-Za-z]*$/.test(long.slice(short.length))
}

/** How many of their pairs of neighbouring letters two texts share (Dice's coefficient). */
function sharedPairs(one: string, other: string): number {
  const [these, those] = [pairs(one), pairs(other)]
  const shared = [...these].filter((pair) => those.has(pair)).length
  return (2 * shared) / Math.max(1, these.size + those.size)
}

/** How many letters were missed, added, mistaken or swapped with the next (optimal string alignment). */
function slips(one: string, other: string): number {
  const [from, to] = [one.toLowerCase(), other.toLowerCase()]
  let before: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let row = 1; row <= from.length; row++) {
    const next = [row]
    for (let at = 1; at <= to.length; at++) {
      const isSame = from[row - 1] === to[at - 1]
      const isSwapped = from[row - 1] === to[at - 2] && from[row - 2] === to[at - 1]
      const ways = [(last[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1, (last[at - 1] ?? 0) + (isSame ? 0 : 1)]
      next.push(Math.min(...ways, ...(isSwapped && row > 1 && at > 1 ? [(before[at - 2] ?? 0) + 1] : [])))
    }
    ;[before, last] = [last, next]
  }
  return last[to.length] ?? 0
}

const pairs = (text: string) =>
  new Set(Array.from(text.toLowerCase(), (letter, i) => letter + text.charAt(i + 1).toLowerCase()))
