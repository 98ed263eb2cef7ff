import type { IncomingControl } from '../../control/incoming.ts'
import { isEmailAddress, isPhoneNumber } from '../../spec/forms.ts'
import type { ControlBody } from '../../control/types.ts'
import { receiveMessage } from '../rules/messages/incoming-message.ts'
import { checkBody } from './check.ts'
import type { ControlContext } from './context.ts'
import { refuse } from './refusals.ts'
import { turnOfTeam } from './turn-of-team.ts'

export const incomingIn = (context: ControlContext): IncomingControl => ({
  async add(teamId, message) {
    checkBody('addIncoming', message)
    checkAddress(message)
    return turnOfTeam(teamId, context, (turn) => receiveMessage(message, turn))
  },
})

function checkAddress({ channel, from, subject }: ControlBody<'addIncoming'>): void {
  const takesEmail = channel === 'email' || channel === 'chat'
  const takesPhone = channel !== 'email'
  if ((takesEmail && isEmailAddress(from)) || (takesPhone && isPhoneNumber(from))) {
    if (subject !== undefined && channel !== 'email') refuse('only an e-mail has a subject')
    return
  }
  const email = takesEmail ? ['an e-mail address'] : []
  const phone = takesPhone ? ['a phone number in E.164 form, such as +14155550123'] : []
  refuse(`from must be ${[...email, ...phone].join(' or ')}`)
}
