import { readAs, unchecked } from '../checks-of-a-body.ts'
import type { Break } from '../broken-copy.ts'

export const contacts = {
  'contact.answersWithTheContact': {
    file: 'team.ts',
    rule: 'contacts: (teamId, createdAt, updatedAt) => ({ teamId, createdAt, updatedAt })',
    instead: 'contacts: (_teamId, createdAt, updatedAt) => ({ createdAt, updatedAt })',
  },
  'contact.timesAreIso': {
    file: 'team.ts',
    rule: 'this.#stamps(this.#teamId, createdAt, this.#times.now())',
    instead: "this.#stamps(this.#teamId, createdAt, this.#times.now().replace('T', ' '))",
  },
  'contact.createdAtStays': {
    file: 'team.ts',
    rule: 'this.#stamped(record._id, fields, createdAt)',
    instead: 'this.#stamped(record._id, fields, this.#times.now())',
  },
  'contact.updatedAtMoves': {
    file: 'team.ts',
    rule: 'this.#stamps(this.#teamId, createdAt, this.#times.now())',
    instead: 'this.#stamps(this.#teamId, createdAt, fields.updatedAt ?? this.#times.now())',
  },
  'contact.lifecycleStagesAreTaken': {
    file: 'rules/fields-of-a-contact.ts',
    rule: '!lifecycleStages.includes(lifecycleStage)) {\n    otherLifecycleStage[assumed.otherLifecycleStage]()',
    instead: "lifecycleStage.includes(' ')) {\n    refuse('lifecycleStage must be one word')",
  },
  'contact.createAnswers201': {
    file: 'operations/contacts.ts',
    rule: "return created('Contact created'",
    instead: "return ok('Contact created'",
  },
  'contact.updateAnswers200': {
    file: 'operations/contacts.ts',
    rule: "return ok('Contact updated', shownContact(await updated(",
    instead: "return created('Contact updated', shownContact(await updated(",
  },
  'contact.deleteAnswers200': {
    file: 'operations/contacts.ts',
    rule: "return ok('Contact deleted', shownContact(contact, assumed))",
    instead: "return { ...ok('Contact deleted', shownContact(contact, assumed)), status: 202 }",
  },
  'contact.upsertAnswers200': {
    file: 'operations/contacts.ts',
    rule: "return ok('Contact created'",
    instead: "return created('Contact created'",
  },
  'contact.deleteByEmailAnswers200': {
    file: 'replies.ts',
    rule: '({ status: 200, message })',
    instead: '({ status: 202, message })',
  },
  'contact.createRequires': unchecked('lastName is required'),
  'contact.createShowsWhatWasGiven': {
    file: 'rules/new-contact.ts',
    rule: 'fields.status === undefined ? newContactStatus[assumed.newContactStatus] : {}',
    instead: 'newContactStatus[assumed.newContactStatus]',
  },
  'contact.statusesAreTaken': {
    file: 'operations/contacts.ts',
    rule: 'if (isBack) contactStatusMoves[assumed.contactStatusMoves](from, to)',
    instead: 'if (!isBack) refuse(`status cannot go back from ${from} to ${to}`)',
  },
  'contact.otherStatusesAreRefused': unchecked('status must be one of'),
  'contact.groupsAreAList': unchecked('groupIds[0] must be a string'),
  'contact.updateShowsTheChange': {
    file: 'team.ts',
    rule: 'merged(record, fields)',
    instead: 'merged(fields, record)',
  },
  'contact.updateSetsTheCompany': readAs('updateContact', '({ company, ...others }) => others'),
  'contact.updateKeepsTheRest': {
    file: 'team.ts',
    rule: 'merged(record, fields)',
    instead: 'fields',
  },
  'contact.updateTakesAnyOneField': {
    file: 'operations/contacts.ts',
    rule: 'checkStatusMove(contact, fields, assumed)',
    instead: "if (!fields.firstName) refuse('firstName is required')",
  },
  'contact.deleteAnswersWithTheContact': {
    file: 'operations/contacts.ts',
    rule: "ok('Contact deleted', shownContact(contact, assumed))",
    instead: "ok('Contact deleted', { _id: contact._id })",
  },
  'contact.deletedIsGone': {
    file: 'rules/deletion.ts',
    rule: 'await records.remove(record._id)',
    instead: 'await records.update(record, { isDeleted: true })',
  },
  'contact.deleteTakesTheConversation': {
    file: 'operations/contacts.ts',
    rule: 'await deleted(team, team.contacts, contact._id, assumed)\n      await deleteDataOf(contact, team, assumed)',
    instead: 'await team.contacts.update(contact, { email: undefined })',
  },
  'contact.deleteTakesTheMessages': {
    file: 'operations/contacts.ts',
    rule: 'await deleted(team, team.contacts, contact._id, assumed)\n      await deleteDataOf(contact, team, assumed)',
    instead: 'await deleted(team, team.contacts, contact._id, assumed)',
  },
  'contact.deleteSparesOthers': {
    file: 'operations/contacts.ts',
    rule: 'if (!again) await deleteDataOf(contact, team, assumed)',
    instead: `if (!again) await deleteDataOf(contact, team, assumed)
    for (const { _id } of await contactsWithEmail(team, contact.email, assumed)) await team.contacts.remove(_id)`,
  },
  'contact.upsertRequires': unchecked('firstName is required'),
  'contact.upsertShowsWhatWasGiven': {
    file: 'operations/contacts.ts',
    rule: 'return updated(team.contacts, before, fields, assumed)',
    instead: 'return updated(team.contacts, before, { ...fields, ...before }, assumed)',
  },
  'contact.upsertCreates': {
    file: 'operations/contacts.ts',
    rule: "if (!known) return ok('Contact created', shownContact(await newContact(team, fields, assumed), assumed))",
    instead: 'if (!known) throw new NotFound()',
  },
  'contact.upsertUpdates': {
    file: 'operations/contacts.ts',
    rule: 'return updated(team.contacts, before, fields, assumed)',
    instead: 'return newContact(team, fields, assumed)',
  },
  'contact.upsertRefusesPlainText': {
    file: 'http/content-types.ts',
    rule: "refuse(`Content-Type must be ${contentTypes.join(' or ')}`)",
    instead: 'return json',
  },
  'contact.deleteByEmailRequires': {
    file: 'rules/query-as-assumed.ts',
    rule: "if (query.email === '') emptyString[assumed.emptyString]()\n    return query",
    instead: "return { email: '', ...query }",
  },
  'contact.deleteByEmailTakesAll': {
    file: 'operations/contacts.ts',
    rule: 'for (const contact of matching) {',
    instead: 'for (const contact of matching.slice(0, 1)) {',
  },
  'contact.deleteByEmailSparesOthers': {
    file: 'store/memory/memory-records.ts',
    rule: 'this.#byId.delete(filed.record._id)',
    instead: 'for (const { record } of this.#byId.values()) this.#byId.delete(record._id)',
  },
  'contact.deleteByEmailSaysHowMany': {
    file: 'operations/contacts.ts',
    rule: '`${matching.length} contacts deleted`',
    instead: "'All of them deleted'",
  },
} satisfies Record<string, Break>
