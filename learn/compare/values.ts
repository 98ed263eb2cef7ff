import type { Walker } from './walker.ts'

/** Numbers that servers keep in different ways: none, whole, with several decimals, and large. */
const numbers = [0, 1, 19.999, 0.1, 1_250_000.5, 1e9]

/** Each of them for each thing that has a price. */
export const price = (walker: Walker, of: string) =>
  walker.chance(25) ? 100 + walker.draw(900) + 0.25 : walker.deal(`prices of ${of}`, numbers)

export const count = (walker: Walker, of: string) =>
  walker.chance(50) ? walker.draw(50) : walker.deal(`counts of ${of}`, [0, 2_500_000])

export const firstName = (walker: Walker) =>
  walker.oneOf(['Ada', 'Augusta', 'Grace', 'Emmy', 'Zoë', 'mary ann', "D'Arcy"])

export const lastName = (walker: Walker) => walker.oneOf(['King', 'Hopper', 'Noether', 'Gödel', 'van der Waerden'])

/** What servers do to texts is seen in these: they cut, trim, escape, and lose what is not ASCII. */
const unusual: readonly ((text: string) => string)[] = [
  (text) => `${text} ${'and so on '.repeat(60)}.`,
  (text) => ` ${text} `,
  (text) => `${text} – “naïve” 😀`,
  (text) => `${text} <b>bold</b> & 'quoted' "twice"`,
  (text) => `${text}\nsecond line`,
]

/** A text that was made up, now and then an unusual one. */
export function text(walker: Walker, noun: string): string {
  const plain = walker.mint.name(noun)
  return walker.chance(30) ? plain : walker.deal(`unusual texts of ${noun}`, unusual)(plain)
}

/** The same for a field that may be emptied. */
export const textOrNothing = (walker: Walker, noun: string) => (walker.chance(12) ? '' : text(walker, noun))

export const customFields = (walker: Walker) =>
  walker.someOf({
    pigeons: () => count(walker, 'pigeons'),
    colour: () => walker.oneOf(['blue', '', 'grün']),
    tags: () => ['a', 'b'],
    isKnown: () => walker.chance(50),
  })

export const groups = (walker: Walker) =>
  Array.from({ length: walker.oneOf([0, 1, 1, 2]) }, () => walker.mint.unknownId())
