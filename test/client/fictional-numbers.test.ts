import { describe, expect, it } from 'vitest'
import { countOfNumbers, fictionalNumber, indexOfNumber } from '../../client/fictional-numbers.ts'
import { loadLocale, localeNames } from '../../fixtures/generate/locale.ts'
import { isReserved } from '../../fixtures/seed/reserved-addresses.ts'

describe('a number that a run makes up', () => {
  const all = Array.from({ length: countOfNumbers }, (_, index) => fictionalNumber(index))

  it('is one of more than 20,000, each of which is found again and reserved', () => {
    expect(new Set(all).size).toBeGreaterThan(20_000)
    expect(all.map(indexOfNumber)).toEqual([...all.keys()])
    expect(all.filter((number) => !isReserved(number))).toEqual([])
  })

  it.each(localeNames)('is never one of a made-up world, such as %s', async (name) => {
    const { places } = await loadLocale(name)
    const forms = places.map(({ phone }) => new RegExp(`^${phone.replace('+', '\\+').replaceAll('#', '\\d')}$`))
    expect(forms.length).toBeGreaterThan(0)
    expect(all.filter((number) => forms.some((form) => form.test(number)))).toEqual([])
  })
})
