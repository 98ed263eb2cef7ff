import * as yaml from 'yaml'
import { readYamlWith } from '../../shared/read-yaml.ts'
import { CannotRun } from '../errors.ts'

/** Parses YAML or JSON. A parser quotes what it cannot read, which may be a credential: so its message is not repeated. */
export function parseYaml(text: string, file: string): unknown {
  try {
    return readYamlWith(yaml, text)
  } catch {
    throw new CannotRun(`${file} is neither YAML nor JSON.`)
  }
}
