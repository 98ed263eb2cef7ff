import type { Item } from './team-model.ts'

/** The text with its merge fields filled in, except those without a value. */
export function filledFor({ additionalFields = {}, ...contact }: Item, text: string): string {
  return filledIn(text, (path) => {
    const name = path.replace(/^contact\./, '')
    return mergeFields.includes(name)
      ? contact[name]
      : additionalFields[/^additionalFields\.(.*)/.exec(name)?.[1] ?? '']
  })
}

const mergeFields = ['firstName', 'lastName', 'email', 'phone', 'status', 'source', 'lifecycleStage']

/** The text of a WhatsApp template with its numbered placeholders filled in. */
export function templateText({ content }: Item, parameters: readonly { text: string }[] = []): string {
  return filledIn(content, (number) => parameters[Number(number) - 1]?.text)
}

function filledIn(text: string, valueAt: (path: string) => string | undefined): string {
  return text.replaceAll(/\{\{([^{}]*)\}\}/g, (field, path: string) => valueAt(path) ?? field)
}
