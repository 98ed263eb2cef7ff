const pollInterval = 500 // milliseconds

/**
 * Calls `end` when npx, the parent process, has ended. npx forwards no signals: `kill $!` after `npx crm-sandbox serve &`
 * would end npx, and leave the server. A command that a script leaves in the background, or starts by its path, keeps
 * running.
 */
export function onEndOfNpx(end: () => void): void {
  if (!isStartedByNpx(process.env)) return
  const before = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === before) return
    clearInterval(timer)
    end()
  }, pollInterval)
  timer.unref()
}

/** Child processes inherit these variables: if npx runs another program that starts a command, they name that program. */
function isStartedByNpx({ npm_lifecycle_event: event, npm_lifecycle_script: script = '' }: NodeJS.ProcessEnv): boolean {
  return event === 'npx' && /^["']?crm-sandbox["']?(?:@\S*)?(?: |$)/.test(script)
}
