import { pathTo } from '../client/kinds.ts'
import { approvedTemplate } from './templates-to-send.ts'
import { byStatus, byValue, CannotTell, Other, requireThat } from './finding.ts'
import { approvedSms, lists, type ProbeContext, tryEach } from './probe.ts'
import type { Questions } from './question.ts'
import type { access } from '../../spec/assumptions/access.ts'

const oneTemplate = { query: { ...approvedSms, page: 1, limit: 1 } }

export const accessQuestions: Questions<typeof access> = {
  bearerRoutes: async ({ as }) => {
    const statuses = [
      (await as('admin').call('listTemplates', oneTemplate)).status,
      (await as('admin').call('getConversation', { path: { conversationId: as('admin').mint.unknownId() } })).status,
      (await as('agent').call('listTemplates', oneTemplate)).status,
    ]
    if (statuses.every((status) => status === 401)) return 'none'
    if (statuses.includes(401)) throw new Other(`tokens get ${statuses.join(', ')}`)
    return 'all'
  },

  bothCredentials: async ({ call, as, target }) => {
    const goodKey = await call('listTemplates', { ...oneTemplate, also: { token: 'not.a.token' } })
    // Where no token is good, the key counts, or which of two refusals it is stays open.
    if (goodKey.status !== 200) await seesTokens({ as })
    const token = target.credentials.admin
    if (token === undefined) throw new CannotTell('needs the token of an admin, in CRM_ADMIN_TOKEN')
    const goodToken = await call('listTemplates', { ...oneTemplate, caller: { key: 'no-such-key' }, also: { token } })
    return byValue('with a good key, then with a good token, the status', [goodKey.status, goodToken.status], {
      key: [200, 401],
      bearer: [401, 200],
      refuse: [401, 401],
    })
  },

  roleOfKey: async ({ as, call, timeUntil }) => {
    await seesTokens({ as })
    const { _id } = await as('agent').make.template('sms')
    const shown = await as('agent').call('getTemplate', pathTo('template', _id))
    requireThat(shown.succeeded, 'an agent cannot read a template that the agent made')
    const isListed = (await timeUntil(() => lists(as('agent'), _id))) !== undefined
    requireThat(isListed, 'an agent does not list the template either')
    const listed = await lists({ call }, _id)
    const { status } = await call('getTemplate', pathTo('template', _id))
    if (!listed) return 'agent'
    if (status === 200) return 'admin'
    throw new Other(`the key lists the template of an agent, and gets ${status} for it`)
  },

  templatesOfAgents: async (context) => {
    const path = pathTo('template', await templateOfAnother(context))
    return byStatus(await context.as('agent').call('getTemplate', path), { 404: 'notFound', ok: 'shown' })
  },

  templateChangesByAgent: async (context) => {
    const body = { templateType: 'sms', name: context.mint.name('Changed') }
    const input = { ...pathTo('template', await templateOfAnother(context)), body }
    return byStatus(await context.as('agent').call('updateTemplate', input), { 404: 'notFound', ok: 'allowed' })
  },

  templateSendsByAgent: async ({ some, recipient }, context) => {
    const smsTemplate = await templateOfAnother(context)
    const to = recipient.phone()
    return tryEach(
      () => maySend(context, (templateId) => some.bulk('sms', { to, templateId }), smsTemplate),
      async () => {
        const body = (templateId: string) => some.bulk('whatsapp', { to, templateId, ...parameter })
        const { _id } = await context.as('admin').make.template('whatsapp')
        return maySend(context, body, _id, (await approvedTemplate(context)).templateId)
      },
    )
  },

  keyMadeTemplates: async ({ as, make, timeUntil }) => {
    await seesTokens({ as })
    const { _id } = await make.template('sms')
    const isListed = (await timeUntil(() => lists(as('admin'), _id))) !== undefined
    requireThat(isListed, 'an admin does not list the template either')
    return (await lists(as('agent'), _id)) ? 'shownToAgents' : 'hiddenFromAgents'
  },
}

const parameter = { bodyParameters: [{ type: 'text', text: '42' }] }

/** Whether an agent is refused a template of the admin, by a send to which its template makes a difference. */
async function maySend(
  { as, mint }: ProbeContext,
  bodyWith: (templateId: string) => object,
  templateId: string,
  approvedId = mint.unknownId(),
): Promise<'allowed' | 'notFound'> {
  const statusFor = async (caller: 'admin' | 'agent', id: string) =>
    (await as(caller).call('sendBulkMessages', { body: bodyWith(id) })).status
  const byAdmin = await statusFor('admin', templateId)
  const others = [await statusFor('admin', mint.unknownId()), await statusFor('admin', approvedId)]
  const decides = others.some((status) => status !== byAdmin)
  requireThat(decides, `a bulk send answers ${byAdmin} whatever its template is (templateInBulk)`)
  const byAgent = await statusFor('agent', templateId)
  if (byAgent === byAdmin) return 'allowed'
  if (byAgent === 404) return 'notFound'
  throw new Other(`the send of an agent gets ${byAgent}, and that of an admin ${byAdmin}`)
}

/** A template that the admin made, and that the agent does not list. */
async function templateOfAnother({ as, timeUntil }: ProbeContext): Promise<string> {
  await seesTokens({ as })
  const { _id } = await as('admin').make.template('sms')
  await timeUntil(() => lists(as('admin'), _id))
  requireThat(!(await lists(as('agent'), _id)), 'an agent lists the templates of others')
  return _id
}

async function seesTokens({ as }: Pick<ProbeContext, 'as'>): Promise<void> {
  const { status } = await as('admin').call('listTemplates', oneTemplate)
  if (status === 401) throw new CannotTell('no token is accepted (bearerRoutes)')
}
