import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openSandbox } from './harness.ts'
import { whatsapp, create, get, list, update, namesIn } from './template-calls.ts'

describe('the approval of a WhatsApp template', () => {
  it.each([
    ['byControl', 'pending', 'approved'],
    ['atOnce', 'approved', 'approved'],
    ['afterDelay:60000', 'pending', 'approved'],
    ['never', 'pending', 'pending'],
  ] as const)(
    'with whatsappApproval=%s starts as %s, and is %s after the control plane approved it',
    async (choice, first, then) => {
      const { sandbox, call } = await openSandbox({ assume: { whatsappApproval: choice } })
      const made = await create(call, whatsapp)
      const approved = sandbox.templates.approve(made.body.data._id as string)
      if (choice === 'never') await expect(approved).rejects.toThrow('stays pending')
      else await approved
      const after = await get(call, made.body.data._id)
      expect([made.body.data.status, after.body.data.status]).toEqual([first, then])
      const marked = [made, after, await list(call)].map(({ assumed }) => assumed.includes('whatsappApproval'))
      expect(marked).toEqual([true, false, false])
    },
  )

  it.each([
    ['unchanged', 'byControl', 'rejected'],
    ['pendingAgain', 'byControl', 'pending'],
    ['pendingAgain', 'atOnce', 'approved'],
  ] as const)(
    'after an update with whatsappAfterUpdate=%s and whatsappApproval=%s is %s',
    async (choice, approval, status) => {
      const { sandbox, call } = await openSandbox({
        assume: { whatsappAfterUpdate: choice, whatsappApproval: approval },
      })
      const { body: made } = await create(call, whatsapp)
      await sandbox.templates.reject(made.data._id as string)
      const updated = await update(call, made.data._id, { templateType: 'whatsapp', content: 'Gone' })
      expect(updated.body.data).toMatchObject({ status, content: 'Gone' })
      expect(updated.assumed).toContain('whatsappAfterUpdate')
    },
  )

  it('does not restart when an update changes nothing that the platform reviews', async () => {
    const { sandbox, call } = await openSandbox()
    const { body: made } = await create(call, whatsapp)
    await sandbox.templates.approve(made.data._id as string)
    const { content, category, language } = whatsapp
    const fields = { name: 'Another name', variables: ['order.number'], content, category, language }
    const updated = await update(call, made.data._id, { templateType: 'whatsapp', ...fields })
    expect(updated.body.data).toMatchObject({ status: 'approved', name: 'Another name' })
  })

  const withoutWaiting = () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    return openSandbox({ assume: { whatsappApproval: 'afterDelay:60000' } })
  }

  it('happens after the delay, and not before', async () => {
    const { call } = await withoutWaiting()
    const { body: made } = await create(call, whatsapp)
    const status = async () => (await get(call, made.data._id)).body.data.status as string
    await vi.advanceTimersByTimeAsync(59_999)
    await create(call) // which makes the sandbox do its due work
    expect(await status()).toBe('pending')
    await vi.advanceTimersByTimeAsync(1)
    expect(await status()).toBe('approved')
    expect(namesIn(await list(call, { statuses: 'pending' }))).toEqual([])
  })

  it('does not happen after the control plane has rejected the template', async () => {
    const { sandbox, call } = await withoutWaiting()
    const { body: made } = await create(call, whatsapp)
    await sandbox.templates.reject(made.data._id as string)
    await vi.advanceTimersByTimeAsync(60_000)
    expect((await get(call, made.data._id)).body.data.status).toBe('rejected')
  })
})
