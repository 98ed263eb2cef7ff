import { withoutControls } from './printable.ts'

/** A text of a server on one line, since on a line of its own a CI system may take it for a command. */
export const oneLine = (text: string) => text.replace(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/g, '\\n')

/** Lines for a log that contain nothing on which a terminal or a CI system acts, such as `::error::` or `##[error]`. */
export const plainLines = (text: string) => withoutCommands(withoutControls(text))

/** Lines that no CI system takes for a command. */
export const withoutCommands = (text: string) => text.replace(/^(\s*)(?=::)/gm, '$1. ').replace(/##(?=\w*\[)/g, '# #')
