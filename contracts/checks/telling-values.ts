// Values that show what a server does to them.

/** Beyond ASCII, with both kinds of quotes and what HTML escapes, and longer than any field of a short text. */
export const tellingText = `${'Zoë & Søren <3 "Ω", O’Brien\'s 日本 😀; '.repeat(6)}¿Ñandú?`

/** What a phone shows in three lines. */
export const tellingLines = 'Dear Ada,\nwe open at nine.\n\nYours, Grace'

/** Beyond ASCII too, for a name, with a letter that UTF-16 writes as two. */
export const tellingName = 'Zoë "Ω" O\'Brien & 日本 𠮷'

/** Longer than a column of a database often is. */
export const longName = 'Augusta Ada King, Countess of Lovelace '.repeat(7).trim()

/** No sum of powers of two, more digits than 32 bits keep, and more cents than they count. */
export const tellingPrice = 98765432.1
