import type { AnyWorld } from '../testing/control-client.ts'
import { mostMebibytes } from '../control/most-mebibytes.ts'
import { parseOrThrow } from '../../lib/json.ts'
import { sentenceOf } from './session.ts'

/** In MiB. The parser of YAML needs seconds for a larger text. */
const largest = { json: mostMebibytes.ofWorld, yaml: 1 }

/** For an input: the files with a world. */
export const worldFiles = '.json,.yaml,.yml,application/json,application/yaml'

export const worldFileForm = `JSON of at most ${largest.json} MiB, such as a download, or YAML of at most ${largest.yaml} MiB`

const isYaml = ({ name }: File) => /\.ya?ml$/i.test(name)

/** Says before a file is read that it is too large. */
export function sizeFaultOf(file: File): string | undefined {
  const most = isYaml(file) ? largest.yaml : largest.json
  return file.size > most * 1024 * 1024
    ? `${file.name} is larger than ${most} MiB; start the sandbox with it: crm-sandbox serve --world FILE`
    : undefined
}

/** Reads a file as JSON or YAML. The control plane checks whether it is a world. */
export async function readWorld(file: File): Promise<AnyWorld> {
  const text = (await file.text()).replace(/^\uFEFF/, '')
  const refuse = (reason: string, line = 1): never => {
    throw new Error(`${file.name} is not ${isYaml(file) ? `YAML (line ${line})` : 'JSON'}: ${reason}`)
  }
  if (isYaml(file)) return (await import('../../lib/read-yaml.ts')).readYaml(text, refuse) as AnyWorld
  try {
    return parseOrThrow(text) as AnyWorld
  } catch (error) {
    return refuse(sentenceOf(error))
  }
}
