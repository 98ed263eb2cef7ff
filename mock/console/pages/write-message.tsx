import { useState } from 'preact/hooks'
import type { ControlData, InboxConversation } from '../../testing/control-client.ts'
import { asTeam, sandbox } from '../session.ts'
import { Field, Form, Select } from '../ui/form.tsx'
import { act } from '../ui/notices.tsx'

type Channel = 'chat' | 'email' | 'sms' | 'whatsapp'

interface WriteMessageProps {
  readonly team: string
  readonly conversationId: string
  readonly contact: InboxConversation['contact']
  /** The channel that is chosen first, if the contact has an address for it. */
  readonly latestChannel: Channel | undefined
  readonly settings: ControlData<'getTeam'>
}

/** A form to write as the customer, or to answer as the team through the API. */
export function WriteMessage({ team, conversationId, contact, latestChannel, settings }: WriteMessageProps) {
  const [isCustomer, setCustomer] = useState(true)
  const [wanted, setWanted] = useState<Channel | undefined>(undefined)
  const [wantedProvider, setWantedProvider] = useState('')
  const [subject, setSubject] = useState('')
  const [content, setContent] = useState('')
  const { email, phone } = contact ?? {}
  const channels: readonly Channel[] = [
    ...(phone ? (['whatsapp', 'sms'] as const) : []),
    ...(email ? (['email'] as const) : []),
    ...(phone || email ? (['chat'] as const) : []),
  ]
  const channel = [wanted, latestChannel].find((one) => one && channels.includes(one)) ?? channels[0]
  if (channel === undefined)
    return <p class="empty">The contact has no address, so nobody can write in this conversation.</p>

  const providers = settings.providers.filter((one) => one.channel === channel)
  const providerId = (providers.find(({ id }) => id === wantedProvider) ?? providers[0])?.id ?? ''

  const receive = async () => {
    const from = (channel === 'email' ? email : channel === 'chat' ? (email ?? phone) : phone) ?? ''
    const message = { channel, from, content, ...(channel === 'email' && subject !== '' && { subject }) }
    const received = await sandbox.value.incoming.add(team, message)
    if (received.conversationId !== conversationId)
      throw new Error(`Another contact has the address ${from} too, and the message is in the conversation with them.`)
  }
  const send = async () => {
    const crm = asTeam(settings.apiKeys[0] ?? '')
    if (channel === 'chat') await crm.sendLiveMessage({ channel, content, conversationId })
    else if (channel === 'email') await crm.sendEmailMessage({ channel, subject, content, providerId, conversationId })
    else await crm.sendMessage({ channel, content, providerId, conversationId })
  }
  const submit = async () => {
    const isDone = await act(isCustomer ? receive : send, isCustomer ? 'The customer has written' : 'Sent')
    if (!isDone) return
    setContent('')
    setSubject('')
  }
  return (
    <Form class="card write" onSubmit={submit}>
      <div class="filters">
        <Select
          label="Write as"
          value={isCustomer ? 'customer' : 'team'}
          choices={[
            ['customer', 'As the customer'],
            ['team', 'As the team, through the API'],
          ]}
          onChoose={(value) => setCustomer(value === 'customer')}
        />
        <Select
          label="Channel"
          value={channel}
          choices={channels}
          onChoose={(value) => setWanted(channels.find((one) => one === value))}
        />
        {isCustomer || providers.length < 2 ? null : (
          <Select
            label="From"
            value={providerId}
            choices={providers.map(({ id, address }) => [id, `${address} (${id})`.slice(0, 100)])}
            onChoose={setWantedProvider}
          />
        )}
      </div>
      {channel === 'email' ? (
        <Field label="Subject">
          <input value={subject} maxLength={1000} onInput={({ currentTarget }) => setSubject(currentTarget.value)} />
        </Field>
      ) : null}
      <Field label={isCustomer ? 'What the customer writes' : 'What the team writes'}>
        <textarea
          required
          rows={2}
          maxLength={100_000}
          value={content}
          onInput={({ currentTarget }) => setContent(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
          }}
        />
      </Field>
      <div class="actions">
        <button type="submit" class="primary">
          {isCustomer ? 'Write as the customer' : 'Send as the team'}
        </button>
        <small>Ctrl Enter</small>
      </div>
    </Form>
  )
}
