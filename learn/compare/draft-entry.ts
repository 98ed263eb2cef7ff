import { sends } from '../../spec/operation-groups.ts'
import { operations } from '../../spec/operations.ts'
import { promises } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import type { Walk } from './walk.ts'
import { capitalize } from '../../shared/capitalize.ts'

interface Place {
  readonly path: string
  readonly server: string
  readonly sandbox: string
}

/** A beginning of an entry for the register, in the form of `spec/assumptions/`. */
export function draftEntry(walk: Walk, operation: OperationId, places: readonly Place[]): string {
  const [first = { path: 'status', server: '', sandbox: '' }] = places
  const steps = walk.map((step) => step.operation)
  const route = steps.length === 1 ? steps.join() : `${steps.slice(0, -1).join(', ')}, then ${operation}`
  const probe = quoteText(`${route}, and look at ${first.path}`)
  const isSending = steps.some((id) => sends.some((send) => send === id))
  return [
    `${nameFor(operation, first.path)}: {`,
    `  section: ${quoteText(sectionOf(operation))},`,
    `  question: ${quoteText(`${capitalize(route)}: what is ${first.path} in the last response?`)},`,
    `  operations: [${quoteText(operation)}],`,
    `  choices: { asBefore: ${quoteText(first.sandbox)}, asSeen: ${quoteText(first.server)} },`,
    `  assumed: 'asBefore',`,
    `  certainty: 'open',`,
    `  probe: ${isSending ? `{ sends: ${probe} }` : probe},`,
    '},',
  ].join('\n')
}

/** Such as `updateContactStatus`. */
function nameFor(operation: OperationId, path: string): string {
  const field =
    path
      .replaceAll(/\[\d+\]/g, '')
      .split('.')
      .at(-1) ?? ''
  return `${operation}${capitalize(field.replaceAll(/\W/g, '').replace(/^_/, ''))}`
}

function sectionOf(operation: OperationId): string {
  const about = promises.find((one) => one.operations !== 'all' && one.operations.includes(operation))
  return about?.section ?? capitalize(operations[operation].group)
}

const quoteText = (text: string) => `'${text.replaceAll(/['\\]/g, '\\$&')}'`
