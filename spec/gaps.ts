import type { AssumptionName } from './assumptions.ts'
import type { Section } from './sections.ts'

/** A place in the specification that does not say what a server does. */
interface Gap {
  readonly section: Section
  readonly place: string
  readonly kind: 'not shown' | 'silent' | 'two readings' | 'two lists'
  /** The assumptions that fill it. */
  readonly assumptions: readonly AssumptionName[]
  /** Why there is nothing to choose, for the whole gap or for the part that the assumptions do not cover. */
  readonly withoutChoice?: string
}

const notShown = gapOfKind('not shown') // the specification says that it is not shown
const silent = gapOfKind('silent') // the specification does not mention it
const twoReadings = gapOfKind('two readings') // the text can be read in two ways
const twoLists = gapOfKind('two lists') // the text gives two lists, and both are valid

const gapsBySection = {
  'What the service does': [
    silent(
      'The id of a record that belongs to another team',
      'Records belong to a team, so for any other team the record does not exist. Of the four documented statuses, 404 ' +
        'says that.',
    ),
    silent('A send with a conversation and a person who is not its contact', ['disagreeingTargets']),
    silent('A send whose contactId, recipientId and `to` mean different people', ['disagreeingReceivers']),
    silent('A send to a contact that has no address for the channel', ['receiverWithoutAddress']),
    silent('A providerId that is not on file', ['unknownProvider']),
    silent('An optional id that is an empty string', ['emptyOptionalId']),
  ],
  'Response envelope': [
    twoReadings('`meta`, which is part of the envelope but omitted by some handlers', ['metaInEnvelope']),
    twoReadings('Which handlers omit which envelope fields', ['statedEnvelope']),
    silent('The text of `message` in a successful response', 'It is for people; no client may depend on it.'),
  ],
  Conversation: [
    silent('The name of the populated contact', ['populatedName']),
    silent('The populated contact without an e-mail address or a phone number', ['populatedAddress']),
    silent('The format of ids', 'They are opaque strings; no client may depend on their format.'),
  ],
  Message: [
    notShown(
      'Values of direction and status besides those listed',
      ['messageStatusLater'],
      'No operation receives a message, so the direction of a message is outgoing, or what the loaded records say. What the ' +
        'control plane adds has words of the sandbox: incoming and received, delivered, read and bounced; no request ' +
        'brings them about.',
    ),
    silent('Whether media, attachments and source of a message are returned', ['messageFields']),
  ],
  'Message history': [
    silent('Whether limit and total count messages or days', ['historyCounts']),
    silent('The time zone of the dates', ['groupDateZone']),
    silent('A page after the last one', ['historyPageBeyond']),
    silent('totalPages of an empty list', ['emptyTotalPages']),
    silent('Messages that the service adds', ['addedMessages']),
  ],
  Template: [
    silent('A uniqueName that a template of another type has', ['uniqueNameScope']),
    silent('A uniqueName that is not a slug, and for WhatsApp not in snake_case', [
      'uniqueNameForm',
      'whatsappNameForm',
    ]),
    silent('A language that is not a BCP-47 code', ['languageForm']),
    silent('The categories of SMS templates', ['smsCategory']),
    silent('Whether provider, variables, header, footer and buttons of a template are returned', ['templateFields']),
  ],
  Contact: [
    silent('The status of a contact created without one', ['newContactStatus']),
    silent('The default lifecycle stage in operations other than create-with-conversation', ['newContactLifecycle']),
    twoReadings('Whether the named lifecycle stages are the only ones', ['otherLifecycleStage']),
    silent('groupIds and additionalFields of a contact created without them', ['fieldsNotGiven']),
    silent('Capital letters in a stored e-mail address', ['emailStored']),
    silent('References to a group, a company or a contact that does not exist', ['contactReferences']),
    silent('A custom field that the team has not defined', ['undefinedCustomField']),
  ],
  Company: [
    silent('The form of an e-mail address, a domain or a URL of a company, product or quote', ['recordTextForms']),
  ],
  Product: [
    twoLists(
      'The billing frequencies in the schema and in the text',
      'The values of both lists are accepted, with both spellings of the one-time value. That is a promise.',
    ),
    silent('A negative price, cost or amount', ['numberRange']),
    silent('The same sku, or the same domain of a company, twice', ['sameRecordTwice']),
  ],
  Deal: [
    silent('References to a contact, company, pipeline, stage or owner that does not exist', ['dealReferences']),
    silent(
      'contactId beside contacts, companyId beside company, and the contacts of a company beside the company of a contact',
      'They are different fields, and nothing is said to write one of them when the other is written.',
    ),
    twoReadings('Whether a currency that is not an ISO 4217 code is refused', ['currencyForm']),
    twoReadings('Whether a closeDate that is not an ISO date is refused, and whether it may have a time', [
      'closeDateForm',
    ]),
  ],
  Quote: [
    notShown('Fields returned for companies, products, deals and quotes besides those listed', ['recordFields']),
    twoReadings('Whether default-basic is the only template', ['otherQuoteTemplate']),
  ],
  'States and transitions': [
    notShown('The status of a WhatsApp template after an update', ['whatsappAfterUpdate']),
    notShown(
      'Template statuses after creation',
      ['whatsappApproval'],
      'SMS and e-mail templates are approved from the start, and nothing is said to change that.',
    ),
    notShown(
      'The allowed changes of the status of a quote',
      'The table of states leads from any status to the one that an update gives. That is a promise.',
    ),
    notShown('The allowed changes of the status of a contact', ['contactStatusMoves']),
    twoLists(
      'The statuses of a quote in the schema and in the text',
      'The values of both lists are accepted. That is a promise.',
    ),
    silent('Whether a quote expires at its expirationDate', 'Quotes cannot be read, so no client could notice.'),
  ],
  'Common conventions': [
    notShown('What a repeated Idempotency-Key does', [
      'repeatedKey',
      'repeatedKeyOtherBody',
      'repeatedKeyInFlight',
      'failuresKept',
      'keyScope',
    ]),
    silent('An Idempotency-Key on a delete', ['keyOnDelete'], 'On a read it would have no effect.'),
    silent('An Idempotency-Key that is empty or very long', ['unusableKey']),
    silent(
      'A request without an Accept header, or with another one',
      'All bodies are JSON, so there is nothing to choose from.',
    ),
    silent('Unlisted fields outside messaging and conversation resolution', ['unlistedFields', 'serverFieldsSent']),
    twoReadings('Which operations are the conversation-resolution endpoints', ['resolutionEndpoints']),
    twoReadings('Unlisted fields inside an attachment or a scheduleTime', ['nestedUnlistedFields']),
    silent('A field that is null, and how an update clears a field', ['nullField']),
    silent('A query parameter that is not listed', ['unlistedParameter']),
    silent('A query parameter that is sent twice', ['repeatedParameter']),
    silent(
      'A JSON body without a Content-Type',
      ['missingContentType'],
      'Bodies are documented as application/json; a body with another Content-Type is refused (400).',
    ),
  ],
  Index: [silent('A path with a slash at its end', ['trailingSlash'])],
  Conversations: [
    silent('Resolution with neither a phone number nor an e-mail address', ['resolveWithoutAddress']),
    silent('An address that the existing contact lacks', ['addressFilledIn']),
    silent('The names of a contact created without names', ['nameOfNewContact']),
    silent('The fields sent for a contact that exists already', ['existingContactOnCreate', 'groupOnReuse']),
    silent('The conversations of a contact that does not exist', ['conversationsOfUnknownContact']),
    notShown('The default page and limit of a history', ['historyPage']),
    silent('The order of a history', ['historyOrder']),
    silent('A channel filter with an unknown channel', ['unknownChannelFilter']),
  ],
  'Live chat': [
    silent('How the paths of merge fields are written', ['mergeFieldPaths']),
    silent('A merge field that does not exist', ['unknownMergeField']),
    silent('Whether responses contain merge fields or their values', ['mergeFields']),
    silent('Incomplete attachments, and invalid media URLs', ['attachmentFields']),
    silent('A mediaType that fits no media', ['mediaTypeFields']),
    silent('A media URL that the service cannot reach', ['unreachableMedia']),
  ],
  Email: [
    twoReadings('contactId and recipientId, which the general rule names but the table does not', ['contactIdOnEmail']),
    silent('Several recipientIds', ['severalRecipients']),
    silent('An e-mail in a conversation without recipientIds', ['emailWithoutRecipientIds']),
    silent('A reply to a message that does not exist', ['replyToUnknown']),
    silent('An unknown quotedMessageId or threadId', 'They belong to the mail provider; only it could tell.'),
  ],
  'SMS and whatsapp': [
    silent('A provider of another channel', ['providerOfOtherChannel']),
    silent('Merge fields in single e-mails, SMS and WhatsApp messages', ['mergeFieldsElsewhere']),
    silent('A template of another type', ['templateOfOtherType']),
    silent('A template on an SMS', ['templateOnSms']),
    silent('Fewer template parameters than placeholders', ['missingParameters']),
    silent('More template parameters than placeholders, and parameters without a template', ['unusedParameters']),
    silent('Merge fields in template parameters', ['mergeFieldsInParameters']),
    silent('A WhatsApp message without a template, outside a session', ['whatsappOutsideSession']),
    silent('A number that nobody has', ['numberThatNobodyHas']),
    twoReadings('The content of a template message, which is also called the fallback text', ['templateContent']),
    twoReadings('“Required for template and marketing sends”, as a bulk send may be marketing', [
      'bulkWhatsappWithoutTemplate',
    ]),
  ],
  Bulk: [
    silent('When a queued send is sent', ['bulkDelivery']),
    silent('A template that is pending or rejected in a bulk send', ['unapprovedTemplate']),
    silent('An invalid address among valid ones', ['bulkBadRecipient']),
    silent('An empty item in the list of addresses', ['bulkEmptyItem']),
    silent('The same address twice', ['bulkDuplicates']),
    silent('Merge fields in the subject and the preheader', ['mergeFieldsInSubject']),
    twoReadings('The templateId of “some SMS flows”', ['templateInBulk']),
    notShown('The format of the date and the time of scheduleTime', ['scheduleForm', 'scheduleZone']),
    silent('Fields that are for another channel', ['bulkFieldOfOtherChannel']),
    silent('A scheduled time in the past', ['scheduleInPast']),
    silent('A scheduled send without a time', ['scheduleMissing']),
    silent(
      'A template, a contact or a provider that changes or goes while a send waits',
      'The send was accepted with the text of its request, and an address that no contact has gets a contact.',
    ),
    silent('A scheduleTime without a scheduleType', ['scheduleTypeMissing']),
  ],
  Templates: [
    silent('The order of the list', ['templateOrder']),
    silent('Several types or statuses in one parameter', ['repeatedQueryValues']),
    silent('A repeatable parameter with brackets', ['bracketedParameter']),
    silent('A filter with an unknown type or status', ['unknownTemplateFilter']),
    silent('A provider that is unknown or of another channel', ['templateProvider']),
    silent('An empty field of a form', ['emptyFormField']),
    silent('How a form writes a list', ['formList']),
    silent('An update that sends another templateType', ['templateTypeChange']),
    twoReadings('“Updated template fields”', ['templateAfterUpdate']),
    silent('Header fields that disagree', ['templateHeaderFields']),
    silent('The fields of a button', ['templateButtonForm']),
    silent('Placeholders that skip a number, and samples that do not fit them', ['templatePlaceholders']),
    silent('Variables that are not the merge fields of the text', ['templateVariables']),
    silent(
      'Which headers, samples and buttons the platform accepts',
      'The platform decides that after the response, and its decision is the status of the template.',
    ),
  ],
  Contacts: [
    silent('Whether the e-mail address of a contact must be valid', ['contactEmailForm']),
    twoReadings('A phone number that is not in E.164 format, which is recommended', ['contactPhoneForm']),
    silent('An address that another contact has too', ['sameAddressTwice']),
    silent('Custom fields that an update does not name', ['nestedUpdate']),
    silent(
      'A required text that holds only spaces',
      'It is a text and not an empty one, so nothing says that it is refused.',
    ),
    notShown('How an upsert matches contacts', [
      'contactMatching',
      'upsertMatching',
      'severalMatches',
      'addressCompare',
      'phoneCompare',
    ]),
    silent('Fields that an upsert does not send', ['upsertUnsentFields']),
    twoReadings('The status in an upsert, which is any string there and one of three elsewhere', ['upsertStatus']),
    twoReadings('The “associated data” of a contact', ['deletedWithContact', 'referencesAfterDelete']),
    silent('A delete by an e-mail address that no contact has', ['noContactWithEmail']),
  ],
  Companies: [silent('Whether the response to an update contains the record', ['recordAfterUpdate'])],
  Deals: [twoReadings('The “associated data” of a deal', ['quotesOfDeletedDeal'])],
  Quotes: [
    silent('The name of a quote created without one', ['quoteNameWhenAbsent']),
    twoReadings('Whether an expirationDate may be a date alone', ['expirationDateForm']),
  ],
  Authentication: [
    notShown(
      'Which routes accept a bearer token, and how keys and tokens are obtained',
      ['bearerRoutes'],
      'No operation issues keys or tokens, so no client of the API could notice how that is done.',
    ),
    silent('An API key and a bearer token that disagree', ['bothCredentials']),
    silent('The role of an API key', ['roleOfKey']),
    silent('Who owns a template that was made with an API key', ['keyMadeTemplates']),
    silent(
      'Roles in operations other than the template list',
      ['templatesOfAgents', 'templateChangesByAgent', 'templateSendsByAgent'],
      'Roles are named for templates only; everything else belongs to the whole team.',
    ),
  ],
  Events: [
    notShown(
      'Webhooks, callbacks and other outbound events',
      'No operation registers a URL for them, so no client could receive one.',
    ),
  ],
  Errors: [
    notShown('Which condition returns which 400 or 404', [
      'malformedId',
      'unknownTarget',
      'unknownTemplate',
      'quoteOfUnknownDeal',
      'deleteAgain',
      'wrongMethod',
      'emptyString',
      'badPage',
      'badRequestMessage',
    ]),
    notShown(
      'Error codes besides the status and the message',
      'An error body is documented with `success` and `message` only; another field would be invented.',
    ),
    silent(
      'A path that is not in the index, or is written in other upper and lower case',
      'There is no such resource: 404, with and without a credential.',
    ),
  ],
  Limits: [
    notShown('How many requests a client may send', ['rateLimit']),
    notShown(
      'The largest body, attachment, list of recipients and text',
      ['bodyLimit', 'longLists', 'unusualJson', 'formLimits', 'bulkRecipientLimit'],
      'Attachments are URLs, not files, and a text may be as long as its body.',
    ),
    notShown('How long an Idempotency-Key is remembered', ['keyRetention']),
    silent('How far ahead a send can be scheduled', ['scheduleHorizon']),
    silent('The largest page', ['largestLimit', 'limitAboveLargest']),
  ],
  Versioning: [
    notShown(
      'Versioning scheme, deprecation policy and compatibility',
      'There is one version, and no path or header names another.',
    ),
  ],
} satisfies Partial<Record<Section, readonly Omit<Gap, 'section'>[]>>

/** All gaps, in the order of the specification. */
export const gaps: readonly Gap[] = Object.entries(gapsBySection).flatMap(([section, found]) =>
  found.map((gap) => ({ section: section as Section, ...gap })),
)

/** A gap has assumptions, or a reason why there is nothing to choose, or both. */
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
