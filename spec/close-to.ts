/** Those words that somebody may have meant by a text, the closest first, at most three. */
export function closeTo(text: string, words: readonly string[]): string[] {
  if (text.length > 64) return [] // nobody meant a name by that
  return words
    .map((word) => ({ word, likeness: likeness(text, word) }))
    .filter(({ likeness }) => likeness > 0.5)
    .sort((one, other) => other.likeness - one.likeness)
    .slice(0, 3)
    .map(({ word }) => word)
}

/** How many of their pairs of neighbouring letters two texts share, from 0 to 1 (Dice's coefficient). */
function likeness(one: string, other: string): number {
  const [these, those] = [pairs(one), pairs(other)]
  const shared = [...these].filter((pair) => those.has(pair)).length
  return (2 * shared) / Math.max(1, these.size + those.size)
}

const pairs = (text: string) =>
  new Set(Array.from(text.toLowerCase(), (letter, i) => letter + text.charAt(i + 1).toLowerCase()))
