import { lists } from '../operation-groups.ts'
import { register } from './register.ts'

/** Pages, filters and order. */
export const listing = register('Message history', ['listMessages'], {
  historyPage: {
    section: 'Conversations',
    question: 'What are the default page and limit of a message history?',
    choices: { page1limit10: 'page 1, limit 10', page1limit20: 'page 1, limit 20', page1limit50: 'page 1, limit 50' },
    likely: 'The examples use page 1 and limit 10.',
    probe: { sends: 'send 51 chat messages to a test contact, and read the history without page and limit' },
  },
  historyCounts: {
    question: 'A history is a list of days that contain messages: which of the two do limit and total count?',
    choices: {
      messages: 'messages; a day that does not fit continues on the next page',
      days: 'days; a day is never split',
    },
    likely: 'A database pages messages; the days are made afterwards.',
    probe: { sends: 'send two chat messages to a test contact, and read its history with limit 1' },
  },
  historyOrder: {
    section: 'Conversations',
    question: 'In which order does a history list its messages?',
    choices: {
      newestFirst: 'the newest day first, and the newest message first within it',
      oldestFirst: 'the oldest first',
    },
    probe: { sends: 'send two chat messages to a test contact, and read its history' },
  },
  groupDateZone: {
    question: 'Which time zone decides the date of a message in the history?',
    choices: { utc: 'UTC', teamZone: 'the time zone of the team' },
    likely: 'MongoDB groups by date in UTC unless the query names a zone.',
    probe: { sends: 'send a chat message near midnight UTC to a test contact, and compare its date and its time' },
    beyondClients: {
      teamZone: 'No operation shows the time zone of the team: if it is UTC, both choices look the same.',
    },
  },
  unknownChannelFilter: {
    section: 'Conversations',
    question: 'What is the response to a history filtered by an unknown channel?',
    choices: { emptyList: 'an empty history', refused: '400' },
    likely: 'The filter has no list of values, so an unknown value becomes a part of the query and matches nothing.',
    probe: 'read a history with channel=pigeon',
  },
  templateOrder: {
    section: 'Templates',
    question: 'In which order are templates listed?',
    operations: ['listTemplates'],
    choices: { newestFirst: 'the newest first', oldestFirst: 'the oldest first' },
    likely: 'Lists of this kind show the newest first.',
    probe: 'create two SMS templates, and list them',
  },
  repeatedQueryValues: {
    section: 'Templates',
    question: 'types and statuses can be repeated: can one also hold several values, as in types=sms,email?',
    operations: ['listTemplates'],
    choices: { accepted: 'yes', refused: 'no: `sms,email` is not a type (400)' },
    probe: 'list templates with types=sms,email',
  },
  bracketedParameter: {
    section: 'Templates',
    question: 'A parameter that can be repeated is written with brackets, as in types[]=sms: is it read?',
    operations: ['listTemplates'],
    choices: {
      accepted: 'yes, as `types`',
      refused: 'no: `types[]` is another parameter, and `types` is missing (400)',
    },
    likely: 'The query parser of Express reads types[]=sms as types=sms.',
    probe: 'list templates with types[]=sms and statuses[]=approved',
  },
  unknownTemplateFilter: {
    section: 'Templates',
    question: 'What is the response to a template list filtered by an unknown type or status?',
    operations: ['listTemplates'],
    choices: { refused: '400', matchesNone: 'the templates that match the other values, if any' },
    probe: 'list templates with types=pigeon',
  },
  badPage: {
    section: 'Errors',
    question: 'What is the response to a page or limit that is zero, negative or not an integer?',
    operations: lists,
    choices: { clamped: 'the list with the default page or limit', refused: '400' },
    likely:
      'The pagination has the field names of a common plugin for Mongoose, which then uses its defaults; a history does not even require a page or a limit.',
    probe: 'list templates with page=0',
  },
  largestLimit: {
    section: 'Limits',
    question: 'What is the largest limit of a list?',
    operations: lists,
    choices: {
      unlimited: 'there is none',
      hundred: '100; a larger limit gets a page of 100',
      refusedAboveHundred: '100; a larger limit is refused (400)',
    },
    likely:
      'The pagination has the field names of a common plugin for Mongoose, which has no maximum, and returns the limit that was requested.',
    probe: 'list templates with limit=101, and look at the limit in the response',
  },
  historyPageBeyond: {
    question: 'What is the response to a page after the last one?',
    operations: lists,
    choices: { empty: 'an empty page', notFound: '404' },
    likely: 'A query that skips past the end finds nothing, which is no error.',
    probe: 'list templates with page=1000000',
  },
  emptyTotalPages: {
    question: 'What is the totalPages of an empty list?',
    operations: lists,
    choices: { zero: '0', one: '1' },
    likely: 'It is the rounded-up quotient of 0 and the limit.',
    probe: 'read the history of a new conversation',
  },
})
