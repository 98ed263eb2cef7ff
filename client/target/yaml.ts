import { readYaml } from '../../shared/read-yaml.ts'
import { CannotRun } from '../errors.ts'

/** Parses YAML or JSON. The parser's message is not repeated: it quotes the text, which may be a credential. */
export function parseYaml(text: string, file: string): unknown {
  try {
    return readYaml(text)
  } catch {
    throw new CannotRun(`${file} is neither YAML nor JSON.`)
  }
}
