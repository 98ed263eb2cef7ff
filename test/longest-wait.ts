/**
 * The limit of every wait of a test, in milliseconds. Only a hang reaches it, also on a machine with eight times more work
 * than processors.
 */
export const longestWait = 60_000
