import { register } from './register.ts'

/** What becomes of a send that is queued. */
export const bulk = register({
  bulkDelivery: {
    section: 'Bulk',
    question: 'When does a queued send happen?',
    operations: ['sendBulkMessages'],
    choices: {
      atOnce: 'at once: before the next request is answered, or beside the next ones when the list is long',
      afterDelay: {
        words: 'this long after it was queued, or after the time that it is scheduled for',
        amount: { unit: 'milliseconds', usual: 5000 },
      },
      onRelease: 'when somebody releases it by the control plane',
    },
    assumed: 'atOnce',
    probe: { sends: 'send a bulk e-mail to an address of our own, and read the history until it is there' },
  },
  bulkToStranger: {
    section: 'Bulk',
    question: 'A bulk send goes to an address that no contact has: what happens?',
    operations: ['sendBulkMessages'],
    choices: {
      contactCreated: 'a contact and a conversation are created, as by any standalone send',
      skipped: 'nobody is created, and the address is skipped',
    },
    assumed: 'contactCreated',
    probe: { sends: 'send a bulk e-mail to a new address of our own, resolve the address, and read the history' },
  },
  bulkBadRecipient: {
    section: 'Bulk',
    question: 'One address of many is malformed: what becomes of the send?',
    operations: ['sendBulkMessages'],
    choices: {
      refused: 'all of it is refused (400)',
      skipped: 'the others are sent; with no other, it is refused (400)',
    },
    assumed: 'refused',
    probe: { sends: 'send a bulk e-mail to an address of our own and to `x`' },
  },
  bulkEmptyItem: {
    section: 'Bulk',
    question: 'There is nothing between two commas, or after the last: what becomes of the send?',
    operations: ['sendBulkMessages'],
    choices: { ignored: 'the empty place is passed over', refused: 'it is refused (400)' },
    assumed: 'ignored',
    probe: { sends: 'send a bulk e-mail to an address of our own with a comma after it' },
  },
  bulkDuplicates: {
    section: 'Bulk',
    question: 'One address stands in `to` twice: how many messages does it get?',
    operations: ['sendBulkMessages'],
    choices: { once: 'one', twice: 'two' },
    assumed: 'once',
    probe: { sends: 'send a bulk e-mail to an address of our own twice in one list, and read the history' },
  },
  bulkRecipientLimit: {
    section: 'Limits',
    question: 'To how many may one bulk send go?',
    operations: ['sendBulkMessages'],
    choices: {
      none: 'to as many as fit into the body',
      atMost: {
        words: 'to this many; a longer list is refused (400)',
        amount: { unit: 'recipients', usual: 1000 },
      },
    },
    assumed: 'none',
    probe: { never: 'Finding a limit means to message as many people.' },
  },
  bulkWhatsappWithoutTemplate: {
    section: 'SMS and whatsapp',
    question:
      'Template fields are required for template and marketing sends: does a bulk WhatsApp send need a template?',
    operations: ['sendBulkMessages'],
    choices: { accepted: 'no: its content is sent', refused: 'yes (400 otherwise)' },
    assumed: 'accepted',
    probe: { sends: 'send a bulk WhatsApp message without a template to a number of our own' },
  },
  templateInBulk: {
    section: 'Bulk',
    question: 'A templateId is for WhatsApp “and some SMS flows”: what does it do in a bulk SMS or e-mail?',
    operations: ['sendBulkMessages'],
    choices: {
      used: 'the text of the template is sent, when it is of the channel',
      ignored: 'nothing: the content is sent',
    },
    assumed: 'used',
    probe: { sends: 'send a bulk SMS with a template to a number of our own, and read the history' },
  },
  scheduleForm: {
    section: 'Bulk',
    question: 'How are the date and the time of a scheduled send written?',
    operations: ['sendBulkMessages'],
    choices: {
      isoDateAndTime: 'as 2030-01-31 and 09:00 or 09:00:00 (400 otherwise)',
      anyString: 'as one likes; what is not understood waits until it is released',
    },
    assumed: 'isoDateAndTime',
    probe: { sends: 'schedule a bulk e-mail to an address of our own, with the date written as 31/01/2030' },
  },
  scheduleZone: {
    section: 'Bulk',
    question: 'In which time zone is a scheduled time meant?',
    operations: ['sendBulkMessages'],
    choices: { utc: 'UTC', teamZone: 'the zone of the team' },
    assumed: 'utc',
    probe: {
      sends: 'schedule a bulk e-mail to an address of our own a few minutes ahead in UTC, and see when it is there',
    },
  },
  scheduleInPast: {
    section: 'Bulk',
    question: 'A send is scheduled for a time that has passed: what happens?',
    operations: ['sendBulkMessages'],
    choices: { sendsNow: 'it is sent now', refused: 'it is refused (400)' },
    assumed: 'sendsNow',
    probe: { sends: 'schedule a bulk e-mail to an address of our own for yesterday' },
  },
  scheduleMissing: {
    section: 'Bulk',
    question: 'A send is scheduled without a date or a time: what happens?',
    operations: ['sendBulkMessages'],
    choices: { refused: 'it is refused (400)', sendsNow: 'it is sent now' },
    assumed: 'refused',
    probe: { sends: 'schedule a bulk e-mail to an address of our own without a scheduleTime' },
  },
  scheduleTypeMissing: {
    section: 'Bulk',
    question: 'A send has a scheduleTime and no scheduleType: when does it happen?',
    operations: ['sendBulkMessages'],
    choices: { sendsNow: 'now: the time is used only when scheduled', followsTime: 'at that time' },
    assumed: 'sendsNow',
    probe: { sends: 'send a bulk e-mail to an address of our own with a scheduleTime alone' },
  },
})
