import { register } from './register.ts'

/** Bulk sends, which are queued. */
export const bulk = register('Bulk', ['sendBulkMessages'], {
  bulkDelivery: {
    question: 'When is a queued bulk send sent?',
    choices: {
      atOnce: 'at once: before the next request is answered, or while the next ones are if the list is long',
      afterDelay: {
        words: 'after this delay, counted from when it was queued or from its scheduled time',
        amount: { unit: 'milliseconds', usual: 5000 },
      },
      onRelease: 'when it is released through the control plane',
    },
    probe: { sends: 'send a bulk e-mail to a test address, and read the history until it contains the message' },
    beyondClients: { onRelease: 'A send that waits for its release looks like one with a longer delay.' },
  },
  bulkBadRecipient: {
    question: 'One of several addresses is invalid: what happens to the bulk send?',
    choices: {
      refused: 'all of it is refused (400)',
      skipped: 'it goes to the other addresses; if there are none, it is refused (400)',
    },
    probe: { sends: 'send a bulk e-mail to a test address and to `x`' },
  },
  bulkEmptyItem: {
    question: 'The list of addresses has an empty item, such as after a comma at its end: what happens?',
    choices: { ignored: 'the empty item is ignored', refused: 'the send is refused (400)' },
    likely: 'A list is usually split, trimmed and filtered.',
    probe: { sends: 'send a bulk e-mail to a test address with a comma after it' },
  },
  bulkSpaces: {
    question:
      'The list of addresses has spaces around its commas, as in `ada@example.com, grace@example.com`: are they a part of the addresses?',
    choices: { ignored: 'no: they are removed', invalid: 'yes: such an address is invalid' },
    likely: 'A list is usually split, trimmed and filtered.',
    probe: { sends: 'send a bulk e-mail to a test address with a space before it' },
  },
  bulkDuplicates: {
    question: 'The same address is in `to` twice: how many messages does it get?',
    choices: { once: 'one', twice: 'two' },
    probe: { sends: 'send a bulk e-mail with a test address twice in the list, and read the history' },
  },
  bulkRecipientLimit: {
    section: 'Limits',
    question: 'How many recipients can a send have?',
    operations: ['sendBulkMessages', 'sendEmailMessage'],
    choices: {
      none: 'as many as fit into the body, until their texts are 64 MiB in all, or 1 GiB if all are alike (otherwise 400)',
      atMost: {
        words: 'up to this many; a longer list is refused (400)',
        amount: { unit: 'recipients', usual: 1000 },
      },
    },
    probe: { never: 'To find the limit, a client would have to message that many people.' },
  },
  bulkWhatsappWithoutTemplate: {
    section: 'SMS and whatsapp',
    question:
      'Template fields are required for template and marketing sends: does a bulk WhatsApp send need a template?',
    choices: { accepted: 'no: its content is sent', refused: 'yes (otherwise 400)' },
    reason:
      'The table does not mark templateId as required, and what the platform refuses shows only after the response.',
    probe: { sends: 'send a bulk WhatsApp message without a template to a test number' },
  },
  templateInBulk: {
    question: 'templateId is for WhatsApp “and some SMS flows”: what does it do in a bulk SMS or e-mail?',
    choices: {
      used: 'the text of the template is sent',
      ignored: 'nothing: the content is sent',
    },
    probe: { sends: 'send a bulk SMS with a template to a test number, and read the history' },
  },
  bulkFieldOfOtherChannel: {
    question:
      'A bulk send has a subject or preheader, which are for e-mail, or template parameters, which are for WhatsApp, on another channel: what happens?',
    choices: { ignored: 'they are ignored', refused: 'it is refused (400)' },
    probe: { sends: 'send a bulk SMS with a subject to a test number' },
  },
  scheduleForm: {
    question: 'What is the format of the date and the time of a scheduled send?',
    choices: {
      isoDateAndTime: '2030-01-31, and 09:00 or 09:00:00 (otherwise 400)',
      anyString: 'any text; if it is not understood, the send waits until it is released',
    },
    probe: { sends: 'schedule a bulk e-mail to a test address, with the date written as 31/01/2030' },
  },
  scheduleZone: {
    question: 'Which time zone does a scheduled time have?',
    choices: { utc: 'UTC', teamZone: 'the time zone of the team' },
    probe: {
      sends:
        'schedule a bulk e-mail to a test address a few minutes ahead in UTC, and read the history until it contains the message',
    },
    beyondClients: {
      teamZone: 'No operation shows the time zone of the team: if it is UTC, both choices look the same.',
    },
  },
  scheduleInPast: {
    question: 'A send is scheduled for a time in the past: what happens?',
    choices: { sendsNow: 'it is sent now', refused: 'it is refused (400)' },
    probe: { sends: 'schedule a bulk e-mail to a test address for yesterday' },
  },
  scheduleMissing: {
    question: 'A scheduled send lacks the date or the time: what happens?',
    choices: { refused: 'it is refused (400)', sendsNow: 'it is sent now' },
    likely: 'A scheduled send “uses” its time.',
    probe: { sends: 'schedule a bulk e-mail to a test address without a scheduleTime' },
  },
  scheduleTypeMissing: {
    question: 'A send has a scheduleTime but no scheduleType: when is it sent?',
    choices: { sendsNow: 'now: the time is used only with scheduleType `scheduled`', followsTime: 'at that time' },
    likely: 'The time is said to be used when scheduled.',
    probe: { sends: 'send a bulk e-mail to a test address with a scheduleTime and no scheduleType' },
  },
})
