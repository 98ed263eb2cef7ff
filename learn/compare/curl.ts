import { toCurl } from '../../client/exchange.ts'
import { fictionalNumber } from '../../client/fictional-numbers.ts'
import { createRequest } from '../../client/request.ts'
import type { Target } from '../../client/target/target.ts'
import { spacedNumber } from './names.ts'
import { toInput } from './side.ts'
import { fillIn, stepsBefore, type Walk } from './walk.ts'

/** A walk as lines for a shell, which can be run again and again: ids are taken from the answers before. */
export async function toCurlLines(walk: Walk, target: Target): Promise<string[]> {
  const asked = new Set(walk.flatMap(stepsBefore))
  const lines = await Promise.all(
    walk.map(async ({ n, operation, input }) => {
      const filled = toInput(fillIn(input, (name) => valueFor(name, target)))
      const request = await createRequest(target.origin, operation, filled)
      const line = inShell(toCurl({ operation, caller: filled.caller ?? 'team', request }))
      return asked.has(n) ? `answer${n}=$(${line})` : line
    }),
  )
  return lines.some((line) => line.includes('$RUN')) ? ['RUN=try_$(date +%s)', ...lines] : lines
}

/** A value that says what the shell puts in its place, in letters that no URL changes. */
function valueFor(name: string, { emailDomain, providers, places, recipients }: Target): string {
  const [what = '', argument = '', ...rest] = name.split(' ')
  switch (what) {
    case 'from':
      return `__ANSWER_${argument}_${rest.join(' ')}__`
    case 'email':
      return `__RUN__-${argument}@${emailDomain}`
    case 'EMAIL':
      return `__RUN__-${argument}@${emailDomain}`.toUpperCase()
    case 'phone':
      return fictionalNumber(Number(argument))
    case 'spaced':
      return spacedNumber(fictionalNumber(Number(argument)))
    case 'unknown':
      return argument.padStart(24, '0')
    case 'provider':
      return providers[argument as 'email' | 'sms' | 'whatsapp']?.[rest[0] as 'id' | 'address'] ?? ''
    case 'to':
      return recipients[argument as 'email' | 'phone'][0] ?? ''
    case 'pipeline':
      return places.pipeline ?? 'pipeline-1'
    case 'stage':
      return places.stage ?? 'stage-1'
    case 'name':
      return `__RUN__ ${argument}`
    default:
      return `__RUN___${argument}`
  }
}

/** Inside single quotes, which end where the shell has to put something in. */
const inShell = (line: string) =>
  line
    .replaceAll('__RUN__', `'"$RUN"'`)
    .replaceAll(/__ANSWER_(\d+)_([\w.]+?)__/g, (_, n: string, path: string) => `'"$(jq -r .${path} <<<"$answer${n}")"'`)
    .replaceAll(`"''`, '"')
