const codes = { red: 31, green: 32, yellow: 33, grey: 90, bold: 1 } as const

export type Paint = (text: string, as: keyof typeof codes) => string

export const plain: Paint = (text) => text

/** Uses colours on a terminal only, unless NO_COLOR or FORCE_COLOR is set. */
export function painterFor(isTerminal: boolean, { NO_COLOR, FORCE_COLOR = '0', TERM }: NodeJS.ProcessEnv): Paint {
  const isWanted = FORCE_COLOR !== '0' || (isTerminal && TERM !== 'dumb')
  const isRefused = NO_COLOR !== undefined && NO_COLOR !== ''
  return isWanted && !isRefused ? (text, as) => `\u001b[${codes[as]}m${text}\u001b[0m` : plain
}
