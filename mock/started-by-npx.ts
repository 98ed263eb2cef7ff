const often = 500

type Variables = Readonly<Record<string, string | undefined>>

/**
 * Calls back when the process that started this one is gone. npx passes no signal on: `kill $!` after
 * `npx crm-sandbox serve &` would end npx, and leave the server. Only what npx has started itself is watched, so that a
 * server that a script leaves in the background, or starts by its path, lives on.
 */
export function onEndOfNpx(end: () => void, variables: Variables = process.env, parent = () => process.ppid): void {
  if (!isStartedByNpx(variables)) return
  const before = parent()
  const timer = setInterval(() => {
    if (parent() === before) return
    clearInterval(timer)
    end()
  }, often)
  timer.unref()
}

/** Variables are inherited: a server that a program of npx starts has them too, with the name of that program. */
function isStartedByNpx({ npm_lifecycle_event: event, npm_lifecycle_script: script = '' }: Variables): boolean {
  return event === 'npx' && /^["']?crm-sandbox["']?(?:@\S*)?(?: |$)/.test(script)
}
