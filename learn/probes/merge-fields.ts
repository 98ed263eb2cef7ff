import { byValue, describe, Other, type ProbeContext, type Probes, requireThat, tryEach } from '../probe.ts'
import type { mergeFieldRules } from '../../spec/assumptions/merge-fields.ts'
import {
  type Fill,
  findPlace,
  firstName,
  inBulkSubject,
  inChat,
  inEmail,
  inSubject,
  isFilled,
} from '../merge-field-places.ts'

export const mergeFieldProbes: Probes<typeof mergeFieldRules> = {
  mergeFields: async (context) => ((await isFilledIn(context, inChat)) ? 'rendered' : 'raw'),

  mergeFieldsElsewhere: (context) =>
    tryEach(
      async () => {
        if (await isFilledIn(context, inEmail)) return 'rendered'
        requireThat(await isFilledIn(context, inChat), 'texts are shown as they were sent (mergeFields)')
        return 'leftAsIs'
      },
      async () => {
        if (await isFilledIn(context, inSubject)) return 'rendered'
        requireThat(await isFilledIn(context, inBulkSubject), 'subjects are, too (mergeFieldsInSubject)')
        return 'leftAsIs'
      },
    ),

  mergeFieldPaths: async (context) => {
    const fill = await findPlace(context)
    const seen = await fill(context, '[{{contact.firstName}}] [{{firstName}}]')
    const [, dotted, bare] = /\[(.*)\] \[(.*)\]/.exec(seen) ?? []
    return byValue('which of contact.firstName and firstName is filled in', [dotted === 'Ada', bare === 'Ada'], {
      both: [true, true],
      contactDotField: [true, false],
      bareField: [false, true],
    })
  },

  unknownMergeField: async (context) => {
    const fill = await findPlace(context)
    const [seen] = /\[.*\]/.exec(await fill(context, '[{{contact.pigeon}}]')) ?? []
    return byValue('the text', seen, { leftAsIs: '[{{contact.pigeon}}]', empty: '[]' })
  },

  mergeFieldsInSubject: (context) =>
    tryEach(
      async () => {
        if (await isFilledIn(context, inSubject)) return 'rendered'
        requireThat(await isFilledIn(context, inEmail), 'single e-mails show no merge fields (mergeFieldsElsewhere)')
        return 'raw'
      },
      async () => ((await isFilledIn(context, inBulkSubject)) ? 'rendered' : 'raw'),
    ),
}

/** Whether a merge field that was sent there is filled in; it is left as it is otherwise. */
async function isFilledIn(context: ProbeContext, place: Fill): Promise<boolean> {
  const seen = await place(context, firstName)
  if (isFilled(seen)) return true
  if (seen.includes(firstName)) return false
  throw new Other(`the text is ${describe(seen)}`)
}
