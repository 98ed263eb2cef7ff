export type Colour = keyof typeof codes

/** Colours a text where a terminal shows it. */
export type Paint = (colour: Colour, text: string) => string

const codes = { red: 31, green: 32, yellow: 33, cyan: 36, grey: 90 } as const

/** Colours for a terminal, unless NO_COLOR says otherwise; nothing elsewhere. */
export function painterFor({ isTTY }: { readonly isTTY?: boolean }): Paint {
  const isPlain = !isTTY || (process.env.NO_COLOR ?? '') !== ''
  return isPlain ? (_colour, text) => text : (colour, text) => `\u001b[${codes[colour]}m${text}\u001b[39m`
}
