import { describe, expect, it } from 'vitest'
import { ada, grace, news, sms, whatsapp, send, heardBy, textsHeardBy, templateOf, ofWhatsapp } from './bulk-sends.ts'
import { seeEachChoice } from './each-choice.ts'
import { type Call, openSandbox } from './harness.ts'

const ofSms = { templateType: 'sms', content: 'From the template', provider: 'sms-provider' }

describe('the assumptions about bulk sends', () => {
  const answered = async (call: Call, wrong: object, to = ada) => {
    const told = await send(call, { ...news, ...wrong })
    return { told, seen: [told.status, (await heardBy(call, to)).length] }
  }
  const otherwise = (call: Call) => send(call)

  seeEachChoice({
    bulkBadRecipient: {
      story: (call) => answered(call, { to: `x,${ada}` }),
      shows: { refused: [400, 0], skipped: [200, 1] },
      otherwise,
    },
    bulkEmptyItem: {
      story: (call) => answered(call, { to: `${ada},` }),
      shows: { ignored: [200, 1], refused: [400, 0] },
      otherwise,
    },
    bulkDuplicates: {
      story: (call) => answered(call, { to: `${ada},${ada}` }),
      shows: { once: [200, 1], twice: [200, 2] },
      otherwise,
    },
    bulkWhatsappWithoutTemplate: {
      story: async (call) => {
        const told = await send(call, whatsapp)
        return { told, seen: [told.status, await textsHeardBy(call, sms.to)] }
      },
      shows: { accepted: [200, ['We open at nine']], refused: [400, []] },
      otherwise: (call) => send(call, sms),
    },
    templateInBulk: {
      story: async (call) => {
        const told = await send(call, { ...sms, templateId: await templateOf(call, ofSms) })
        return { told, seen: await textsHeardBy(call, sms.to) }
      },
      shows: { used: ['From the template'], ignored: ['We open at nine'] },
      otherwise: (call) => send(call, sms),
    },
    unapprovedTemplate: {
      story: async (call) => {
        const told = await send(call, { ...whatsapp, templateId: await templateOf(call, ofWhatsapp) })
        return { told, seen: [told.status, (await heardBy(call, sms.to)).length] }
      },
      shows: { refused: [400, 0], accepted: [200, 1] },
      otherwise: (call) => send(call, whatsapp),
    },
    missingParameters: {
      with: { unapprovedTemplate: 'accepted' },
      story: async (call) => {
        const told = await send(call, { ...whatsapp, templateId: await templateOf(call, ofWhatsapp) })
        return { told, seen: [told.status, await textsHeardBy(call, sms.to)] }
      },
      shows: { leftAsIs: [200, ['Order {{1}} has left']], refused: [400, []] },
      otherwise: (call) => send(call, whatsapp),
    },
    scheduleMissing: {
      story: (call) => answered(call, { scheduleType: 'scheduled', scheduleTime: { date: '2030-01-31' } }),
      shows: { refused: [400, 0], sendsNow: [200, 1] },
      otherwise,
    },
    scheduleForm: {
      story: (call) =>
        answered(call, { scheduleType: 'scheduled', scheduleTime: { date: '2030-02-30', time: '09:00' } }),
      shows: { isoDateAndTime: [400, 0], anyString: [200, 0] },
      otherwise,
    },
    scheduleInPast: {
      story: (call) =>
        answered(call, { scheduleType: 'scheduled', scheduleTime: { date: '2020-01-31', time: '09:00' } }),
      shows: { sendsNow: [200, 1], refused: [400, 0] },
      otherwise,
    },
    scheduleTypeMissing: {
      story: (call) => answered(call, { scheduleTime: { date: '9030-01-31', time: '09:00' } }),
      shows: { sendsNow: [200, 1], followsTime: [200, 0] },
      otherwise: (call) =>
        send(call, { ...news, scheduleType: 'now', scheduleTime: { date: '9030-01-31', time: '09:00' } }),
    },
  })

  it.each([
    ['none', [200, 1]],
    ['atMost:2', [200, 1]],
    ['atMost:1', [400, 0]],
  ] as const)('bulkRecipientLimit=%s: status and messages of a send to two contacts are %j', async (choice, seen) => {
    const { call } = await openSandbox({ assume: { bulkRecipientLimit: choice } })
    const { told, seen: what } = await answered(call, { to: `${ada},${grace}` })
    expect([what, told.assumed]).toEqual([seen, expect.arrayContaining(['bulkRecipientLimit'])])
    expect((await send(call)).assumed).not.toContain('bulkRecipientLimit')
  })
})
