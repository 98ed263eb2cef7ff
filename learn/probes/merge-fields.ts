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
import { type Asking, byValue, describe, Other, type Probes, requireThat, tryEach } from '../probe.ts'

export const mergeFieldProbes: Probes<typeof mergeFieldRules> = {
  mergeFields: async (asking) => ((await isFilledIn(asking, inChat)) ? 'rendered' : 'raw'),

  mergeFieldsElsewhere: (asking) =>
    tryEach(
      async () => {
        if (await isFilledIn(asking, inEmail)) return 'rendered'
        requireThat(await isFilledIn(asking, inChat), 'texts are shown as they were sent (mergeFields)')
        return 'leftAsIs'
      },
      async () => {
        if (await isFilledIn(asking, inSubject)) return 'rendered'
        requireThat(await isFilledIn(asking, inBulkSubject), 'subjects are, too (mergeFieldsInSubject)')
        return 'leftAsIs'
      },
    ),

  mergeFieldPaths: async (asking) => {
    const fill = await findPlace(asking)
    const seen = await fill(asking, '[{{contact.firstName}}] [{{firstName}}]')
    const [, dotted, bare] = /\[(.*)\] \[(.*)\]/.exec(seen) ?? []
    return byValue('which of contact.firstName and firstName is filled in', [dotted === 'Ada', bare === 'Ada'], {
      both: [true, true],
      contactDotField: [true, false],
      bareField: [false, true],
    })
  },

  unknownMergeField: async (asking) => {
    const fill = await findPlace(asking)
    const [seen] = /\[.*\]/.exec(await fill(asking, '[{{contact.pigeon}}]')) ?? []
    return byValue('the text', seen, { leftAsIs: '[{{contact.pigeon}}]', empty: '[]' })
  },

  mergeFieldsInSubject: (asking) =>
    tryEach(
      async () => {
        if (await isFilledIn(asking, inSubject)) return 'rendered'
        requireThat(await isFilledIn(asking, inEmail), 'single e-mails show no merge fields (mergeFieldsElsewhere)')
        return 'raw'
      },
      async () => ((await isFilledIn(asking, inBulkSubject)) ? 'rendered' : 'raw'),
    ),
}

/** Whether a merge field that was sent there is filled in; it is left as it is otherwise. */
async function isFilledIn(asking: Asking, place: Fill): Promise<boolean> {
  const seen = await place(asking, firstName)
  if (isFilled(seen)) return true
  if (seen.includes(firstName)) return false
  throw new Other(`the text is ${describe(seen)}`)
}
