import type { AssumptionName } from './assumptions.ts'
import type { Section } from './sections.ts'

/** A place where the specification does not say what a server does. */
export interface Gap {
  readonly section: Section
  readonly place: string
  readonly kind: 'not shown' | 'silent' | 'two readings' | 'two lists'
  /** The entries of the register that fill it. */
  readonly assumptions: readonly AssumptionName[]
  /** Why there is nothing to choose, in all of it or in what the entries leave. */
  readonly withoutChoice?: string
}

const notShown = gapOfKind('not shown') // the specification says that it does not say
const silent = gapOfKind('silent') // it says nothing
const twoReadings = gapOfKind('two readings') // what it says can be understood in two ways
const twoLists = gapOfKind('two lists') // it says two things, and both hold

const gapsBySection = {
  'What the service does': [
    silent(
      'The id of a record that belongs to another team',
      'A record belongs to its team, so this team has no such record, and of the four documented statuses only 404 ' +
        'says so. Any other status is a finding.',
    ),
    silent('A conversation and a person who is not its contact in one send', ['disagreeingTargets']),
    silent('contactId, recipientId and `to` that mean different people', ['disagreeingReceivers']),
    silent('A contact that has no address for the channel', ['receiverWithoutAddress']),
    silent('A providerId that is not on file', ['unknownProvider']),
  ],
  'Response envelope': [
    twoReadings('`meta`, which is part of the envelope and omitted by some handlers', ['metaInEnvelope']),
    twoReadings('Which handlers omit envelope fields, and which fields', ['statedEnvelope']),
    silent('The words of `message` on a success', 'They are for people, and no client may depend on them.'),
  ],
  Conversation: [
    silent('How the name of the populated contact is made', ['populatedName']),
    silent('The populated contact when it lacks an address', ['populatedAddress']),
    silent('The form of ids', 'They are texts without a meaning, and no client may depend on their form.'),
  ],
  Message: [
    notShown(
      'Which values direction and status may take beyond those listed',
      ['messageStatusLater'],
      'No operation receives a message, so its direction is whatever the loaded records say.',
    ),
    silent('Whether a message gives back its media, attachments and source', ['messageFields']),
  ],
  'Message history': [
    silent('What limit and total count: messages, or the days that hold them', ['historyCounts']),
    silent('The time zone of a day', ['groupDateZone']),
    silent('A page past the end', ['historyPageBeyond']),
    silent('totalPages of an empty list', ['emptyTotalPages']),
  ],
  Template: [
    silent('A uniqueName that is taken', ['takenUniqueName']),
    silent('A WhatsApp uniqueName that is not in snake_case', ['whatsappNameForm']),
    silent('A language that is no BCP-47 code', ['languageForm']),
    silent('Whether a template gives back its provider, variables, header, footer and buttons', ['templateFields']),
  ],
  Contact: [
    silent('The status of a contact that is created without one', ['newContactStatus']),
    silent('The lifecycle stage of a contact made by another operation than create-with-conversation', [
      'newContactLifecycle',
    ]),
    twoReadings('Whether the named lifecycle stages are the only ones', ['otherLifecycleStage']),
    silent('groupIds and additionalFields of a contact that was given none', ['fieldsNotGiven']),
    silent('Capitals in an e-mail address that is given back', ['emailStored']),
    silent('A group or a company that is not there, and contacts of a company that are not', ['contactReferences']),
  ],
  Product: [
    twoLists(
      'The billing frequencies, in the schema and in the prose',
      'The values of both lists are accepted, in both spellings of the one-time value. That is a promise.',
    ),
    silent('A negative price, cost or amount', ['numberRange']),
  ],
  Deal: [
    silent('A contact, company, pipeline, stage or owner that is not there', ['dealReferences']),
    twoReadings('Whether a currency that is no ISO 4217 code is refused', ['currencyForm']),
    twoReadings('Whether a closeDate that is no ISO date is refused, and whether it may have a time', [
      'closeDateForm',
    ]),
  ],
  Quote: [
    notShown('Fields returned for companies, products, deals and quotes beyond those listed', ['recordFields']),
    twoReadings('Whether default-basic is the only template', ['otherQuoteTemplate']),
  ],
  'States and transitions': [
    notShown('The status of a WhatsApp template after an update', ['whatsappAfterUpdate']),
    notShown(
      'Template statuses after creation',
      ['whatsappApproval'],
      'Templates for SMS and e-mail are approved from the start, and nothing is said to take that away.',
    ),
    notShown('Which status of a quote may follow which', ['quoteStatusMoves']),
    notShown('Which status of a contact may follow which', ['contactStatusMoves']),
    twoLists(
      'The statuses of a quote, in the schema and in the prose',
      'The values of both lists are accepted. That is a promise.',
    ),
    silent('Whether a quote expires by its expirationDate', 'Quotes cannot be read, so that no client could notice.'),
  ],
  'Common conventions': [
    notShown('What a repeated Idempotency-Key does', [
      'repeatedKey',
      'repeatedKeyOtherBody',
      'repeatedKeyInFlight',
      'failuresKept',
      'keyScope',
    ]),
    silent('An Idempotency-Key on a delete', ['keyOnDelete'], 'On a read it could change nothing.'),
    silent('An Idempotency-Key that is empty or very long', ['unusableKey']),
    silent('Unlisted fields outside messaging and conversation resolution', ['unlistedFields', 'serverFieldsSent']),
    twoReadings('Which are the conversation-resolution endpoints', ['resolutionEndpoints']),
    silent(
      'A JSON body without a Content-Type',
      ['missingContentType'],
      'Bodies are documented as application/json; one that says it is something else is refused (400).',
    ),
  ],
  Conversations: [
    silent('Resolution with neither a phone number nor an e-mail address', ['resolveWithoutAddress']),
    silent('An address that the resolved contact lacks', ['addressFilledIn']),
    silent('The names of a contact that nobody named', ['nameOfNewContact']),
    silent('The fields given for a contact that turns out to be known', ['existingContactOnCreate', 'groupOnReuse']),
    silent('The conversations of a contact that is not there', ['conversationsOfUnknownContact']),
    notShown('page and limit of a history when they are not given', ['historyPage']),
    silent('The order of a history', ['historyOrder']),
    silent('A channel filter with a channel that there is not', ['unknownChannelFilter']),
  ],
  'Live chat': [
    silent('How the paths of merge fields are spelt', ['mergeFieldPaths']),
    silent('A merge field that leads nowhere', ['unknownMergeField']),
    silent('Whether an answer shows merge fields or what they became', ['mergeFields']),
    silent('Attachments that are not complete, and media addresses that are none', ['attachmentFields']),
  ],
  Email: [
    twoReadings('contactId and recipientId, which the general rule names and the table does not', ['contactIdOnEmail']),
    silent('Several recipientIds', ['severalRecipients']),
    silent('`to` beside recipientIds', ['toAndRecipientIds']),
    silent('An e-mail in a conversation without recipientIds', ['emailWithoutRecipientIds']),
    silent('A reply to a message that is not there', ['replyToUnknown']),
    silent(
      'quotedMessageId and threadId that nobody knows',
      'They belong to the mail provider, which alone could tell.',
    ),
  ],
  'SMS and whatsapp': [
    silent('A provider of another channel', ['providerOfOtherChannel']),
    silent('Merge fields in single e-mails, SMS and WhatsApp messages', ['mergeFieldsElsewhere']),
    silent('A template that is pending or rejected', ['unapprovedTemplate']),
    silent('A template of another type', ['templateOfOtherType']),
    silent('A template on an SMS', ['templateOnSms']),
    silent('Fewer parameters than placeholders', ['missingParameters']),
    twoReadings('The content of a template message, which is also the fallback text', ['templateContent']),
    twoReadings('“Required for template and marketing sends”, when every bulk send may be marketing', [
      'bulkWhatsappWithoutTemplate',
    ]),
  ],
  Bulk: [
    silent('When a queued send happens', ['bulkDelivery']),
    silent('An address that no contact has', ['bulkToStranger']),
    silent('A malformed address among others', ['bulkBadRecipient']),
    silent('An empty place in the list of addresses', ['bulkEmptyItem']),
    silent('The same address twice', ['bulkDuplicates']),
    silent('Merge fields in the subject and the preheader', ['mergeFieldsInSubject']),
    twoReadings('The templateId of “some SMS flows”', ['templateInBulk']),
    notShown('How the date and the time of scheduleTime are written', ['scheduleForm', 'scheduleZone']),
    silent('A scheduled time that has passed', ['scheduleInPast']),
    silent('A scheduled send without its time', ['scheduleMissing']),
    silent('A time without a scheduleType', ['scheduleTypeMissing']),
  ],
  Templates: [
    silent('The order of the list', ['templateOrder']),
    silent('Several types or statuses in one value', ['repeatedQueryValues']),
    silent('A type or a status that there is not', ['unknownTemplateFilter']),
    silent('A provider that is unknown or of another channel', ['templateProvider']),
    silent('An update with another templateType', ['templateTypeChange']),
    twoReadings('“Updated template fields”', ['templateAfterUpdate']),
    silent(
      'What a header, its samples and the buttons must be for the platform to accept them',
      'It is the platform that judges them, and its judgement is the status.',
    ),
  ],
  Contacts: [
    silent('The form of the e-mail address and the phone number of a contact', ['contactAddressForm']),
    silent('An address that another contact has', ['sameAddressTwice']),
    silent('A contact without any address', ['contactWithoutAddress']),
    silent('Custom fields that an update does not name', ['nestedUpdate']),
    notShown('How an upsert matches contacts', ['contactMatching', 'severalMatches', 'addressCompare', 'phoneCompare']),
    silent('Fields that an upsert does not send', ['upsertUnsentFields']),
    twoReadings('The status of an upsert, which is any string there and one of three elsewhere', ['upsertStatus']),
    twoReadings('The “associated data” of a contact', ['deletedWithContact', 'referencesAfterDelete']),
    silent('A delete by an e-mail address that no contact has', ['noContactWithEmail']),
  ],
  Companies: [silent('Whether the answer to an update holds the record', ['recordAfterUpdate'])],
  Deals: [twoReadings('The “associated data” of a deal', ['quotesOfDeletedDeal'])],
  Quotes: [silent('The name of a quote that is created without one', ['quoteNameWhenAbsent'])],
  Authentication: [
    notShown(
      'Which routes accept a bearer token, and how keys and tokens are obtained',
      ['bearerRoutes'],
      'No operation gives out keys or tokens, so that no client of the API could notice how it is done.',
    ),
    silent('An API key and a bearer token that disagree', ['bothCredentials']),
    silent('Bad credentials together with a bad request', ['firstCheck']),
    silent('The role of an API key', ['roleOfKey']),
    silent('Who owns a template that was made with an API key', ['keyMadeTemplates']),
    silent(
      'Roles outside the list of templates',
      ['templatesOfAgents', 'templateChangesByAgent'],
      'Roles are named for templates only; everything else is the team’s, whoever asks.',
    ),
  ],
  Events: [
    notShown(
      'Webhooks, callbacks and other outbound events',
      'No operation registers a place to send them to, so that no client could receive one.',
    ),
  ],
  Errors: [
    notShown('Which condition yields which 400 or 404', [
      'malformedId',
      'unknownTarget',
      'unknownTemplate',
      'quoteOfUnknownDeal',
      'deleteAgain',
      'wrongMethod',
      'emptyString',
      'emptyUpdate',
      'badPage',
      'badRequestMessage',
    ]),
    notShown(
      'Error codes other than the status and the message',
      'An error body is documented with these two fields, and a third one would be our invention.',
    ),
    silent('A path that is not in the index', 'There is no such resource, and that is what 404 means.'),
  ],
  Limits: [
    notShown('How many requests may be made', ['rateLimit']),
    notShown(
      'How large bodies, attachments, lists of recipients and texts may be',
      ['bodyLimit', 'bulkRecipientLimit'],
      'Attachments are addresses, not files, and a text may be as long as its body.',
    ),
    notShown('How long an Idempotency-Key is remembered', ['keyRetention']),
    silent('How long a page may be', ['largestLimit', 'limitAboveLargest']),
  ],
  Versioning: [
    notShown(
      'How versions are named, retired and kept compatible',
      'There is one version, and neither paths nor headers name another.',
    ),
  ],
} satisfies Partial<Record<Section, readonly Omit<Gap, 'section'>[]>>

/** Every gap of the specification, in its order. */
export const gaps: readonly Gap[] = Object.entries(gapsBySection).flatMap(([section, found]) =>
  found.map((gap) => ({ section: section as Section, ...gap })),
)

/** A gap is filled by entries of the register, or leaves nothing to choose, or both; in no case neither. */
function gapOfKind(kind: Gap['kind']) {
  return (
    place: string,
    filledBy: readonly [AssumptionName, ...AssumptionName[]] | Reason,
    forTheRest?: Reason,
  ): Omit<Gap, 'section'> =>
    typeof filledBy === 'string'
      ? { kind, place, assumptions: [], withoutChoice: filledBy }
      : { kind, place, assumptions: filledBy, ...(forTheRest === undefined ? {} : { withoutChoice: forTheRest }) }
}

type Reason = string
