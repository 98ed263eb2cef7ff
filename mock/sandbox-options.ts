import type { SandboxOptions } from './create-sandbox.ts'
import type { Settings } from './options.ts'

/** The options of a sandbox that flags and variables set, apart from its world and its choices. */
export function optionsFrom(settings: Settings) {
  const { port = 0, public: isPublic = false, host = isPublic ? '0.0.0.0' : '127.0.0.1', log } = settings
  const { allowHost: allowHosts, cors, store, seed, controlToken, faultsByHeader, strict } = settings
  const write = (line: string) => process.stderr.write(line)
  return {
    ...{ port, host, public: isPublic, allowHosts, cors },
    ...withoutUndefined({ store, seed, controlToken, faultsByHeader, strict }),
    ...(log && { log: { form: formOn(process.stderr), ...log, write } }),
  } satisfies Omit<SandboxOptions, 'world'>
}

type Defined<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

export const withoutUndefined = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>

/** A line to read for people, and JSON for whatever collects the log. */
const formOn = ({ isTTY }: NodeJS.WriteStream) => (isTTY ? 'text' : 'json')
