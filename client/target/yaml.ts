import { parse } from 'yaml'
import { CannotRun } from '../errors.ts'

/** Parses YAML or JSON. A parser quotes what it cannot read, which may be a credential: so its message is not repeated. */
export function parseYaml(text: string, file: string): unknown {
  try {
    return parse(text)
  } catch {
    throw new CannotRun(`${file} is neither YAML nor JSON.`)
  }
}
