import type { retries } from '../../spec/assumptions/retries.ts'
import { checkKeysCount, checkOtherBodyCounts, plainProduct } from '../keys.ts'
import { byStatus, CannotTell, Other, type Probes, requireThat } from '../probe.ts'
import { tryEach } from '../ways.ts'
import { createAtOnce, queueAtOnce, useElsewhereMeanwhile } from './keys-in-flight.ts'
import { deleteOfAnother, deleteWithUnusableKey, repeatedDelete } from './keys-on-delete.ts'

export const retryProbes: Probes<typeof retries> = {
  repeatedKey: async (asking) => {
    const { ask, call, some, mint } = asking
    const input = { body: plainProduct(some), key: mint.key() }
    const first = await ask('createProduct', input)
    const again = await call('createProduct', input)
    if (again.status === 400) return 'refuse'
    if (!again.succeeded) throw new Other(again.summary)
    return again.data._id === first.data._id ? 'replay' : 'reexecute'
  },

  repeatedKeyOtherBody: async ({ ask, call, some, mint }) => {
    const key = mint.key()
    const first = await ask('createProduct', { body: some.product(), key })
    const other = await call('createProduct', { body: some.product(), key })
    if (other.succeeded) return other.data._id === first.data._id ? 'replay' : 'execute'
    const same = await call('createProduct', { body: some.product(), key: mint.key() })
    requireThat(same.succeeded, 'a second product is refused with a fresh key too')
    return byStatus(other, { 400: 'refuse' })
  },

  repeatedKeyInFlight: (asking) =>
    tryEach(
      () => createAtOnce(asking),
      () => queueAtOnce(asking),
    ),

  failuresKept: (asking) =>
    tryEach(
      async () => {
        const { ask, call, make, some, mint } = asking
        await checkKeysCount(asking)
        const uniqueName = mint.slug('taken')
        const taken = await make.template('sms', { uniqueName })
        const keyed = { body: some.template.sms({ uniqueName }), key: mint.key() }
        const first = await call('createTemplate', keyed)
        requireThat(first.status === 400, `a second template with one uniqueName is not refused: ${first.summary}`)
        await ask('deleteTemplate', { path: { templateId: taken._id } })
        const again = await call('createTemplate', keyed)
        if (again.succeeded) return 'no'
        await ask('createTemplate', { ...keyed, key: mint.key() })
        return byStatus(again, { 400: 'yes' })
      },
      async () => {
        const { ask, call, some, mint } = asking
        await checkOtherBodyCounts(asking)
        const key = mint.key()
        const { unitPrice: _, ...bad } = some.product()
        const first = await call('createProduct', { body: bad, key })
        requireThat(first.status === 400, `a product without a price is not refused: ${first.summary}`)
        const good = await call('createProduct', { body: some.product(), key })
        if (good.succeeded) return 'no'
        await ask('createProduct', { body: some.product(), key: mint.key() })
        return byStatus(good, { 400: 'yes' })
      },
    ),

  keyScope: (asking) =>
    tryEach(
      async () => {
        const { ask, call, some, mint } = asking
        await checkOtherBodyCounts(asking)
        const key = mint.key()
        await ask('createProduct', { body: some.product(), key })
        const other = await call('createCompany', { body: some.company(), key })
        if (other.succeeded) return 'unitPrice' in other.data ? 'team' : 'teamAndOperation'
        await ask('createCompany', { body: some.company(), key: mint.key() })
        return byStatus(other, { 400: 'team' })
      },
      () => useElsewhereMeanwhile(asking),
    ),

  keyRetention: () => Promise.reject(new CannotTell('it takes more than a day')),

  keyOnDelete: (asking) =>
    tryEach(
      () => repeatedDelete(asking),
      () => deleteOfAnother(asking),
      () => deleteWithUnusableKey(asking),
    ),

  unusableKey: async (asking) => {
    const { call, some, mint } = asking
    const tooLong = { body: plainProduct(some), key: `${mint.key()}${'k'.repeat(256)}`.slice(0, 256) }
    const first = await call('createProduct', tooLong)
    const statuses = [first.status, (await call('createProduct', { body: some.product(), key: '' })).status]
    if (statuses.every((status) => status === 400)) return 'refused'
    if (!statuses.every((status) => status >= 200 && status < 300))
      throw new Other(`a key of 256 characters, and an empty one, get ${statuses.join(' and ')}`)
    const again = await call('createProduct', tooLong)
    if (again.succeeded && again.data._id === first.data._id)
      throw new Other('a key of 256 characters is used as any other')
    return 'ignored'
  },
}
