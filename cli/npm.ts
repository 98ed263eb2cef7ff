const pollInterval = 500 // milliseconds

/**
 * Calls `end` when the npx, or the `npm start` in a clone, that started this process has ended. npx forwards no signals, and
 * npm forwards them to its shell alone: `kill $!` after `npx crm-sandbox serve &` would leave the server. A command that a
 * script leaves in the background, or starts by its path, keeps running.
 */
export function onEndOfNpm(end: () => void): void {
  if (!isStartedByNpm(process.env)) return
  const before = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === before) return
    clearInterval(timer)
    end()
  }, pollInterval)
  timer.unref()
}

/** Child processes inherit these variables: if npm runs another program that starts a command, they name that program. */
function isStartedByNpm(variables: NodeJS.ProcessEnv): boolean {
  const { npm_lifecycle_event: event, npm_lifecycle_script: script = '', npm_package_name: name } = variables
  if (event === 'start') return name === 'crm-sandbox'
  return event === 'npx' && /^["']?crm-sandbox["']?(?:@\S*)?(?: |$)/.test(script)
}
