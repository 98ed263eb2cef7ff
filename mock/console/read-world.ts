import type { AnyWorld } from '../testing/control-client.ts'
import { sentenceOf } from './session.ts'

/** In MiB. The control plane refuses larger requests, and the parser of YAML needs seconds for a larger text. */
const largest = { json: 16, yaml: 1 }

/** For an input: the files with a world. */
export const worldFiles = '.json,.yaml,.yml,application/json,application/yaml'

export const worldFileForm = `JSON of at most ${largest.json} MiB, such as a download, or YAML of at most ${largest.yaml} MiB`

/** Reads a file as JSON or YAML. The control plane checks whether it is a world. */
export async function readWorld(file: File): Promise<AnyWorld> {
  const isYaml = /\.ya?ml$/i.test(file.name)
  const most = isYaml ? largest.yaml : largest.json
  if (file.size > most * 1024 * 1024)
    throw new Error(
      `${file.name} is larger than ${most} MiB; start the sandbox with it: crm-sandbox serve --world FILE`,
    )
  const text = (await file.text()).replace(/^\uFEFF/, '')
  const parse: (text: string) => unknown = isYaml ? (await import('yaml')).parse : JSON.parse
  try {
    return parse(text) as AnyWorld
  } catch (error) {
    // The parser of YAML adds the line as it is in the file.
    const [reason = ''] = sentenceOf(error).split(':\n')
    throw new Error(`${file.name} is not ${isYaml ? 'YAML' : 'JSON'}: ${reason}`, { cause: error })
  }
}
