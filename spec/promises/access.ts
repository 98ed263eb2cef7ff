import { deletesById, resolutions, singleSends, updates, withBody } from '../operation-groups.ts'
import { requirements, returns } from './wording.ts'

const showingTheTeam = [
  ...resolutions,
  'createContact',
  'updateContact',
  'deleteContact',
  'createOrUpdateContact',
  'createCompany',
  'updateCompany',
] as const

/** Authentication, roles, and the separation of teams. */
export const access = [
  requirements('Authentication', 'all', {
    'access.keyOpensEveryOperation':
      'Every operation accepts a team API key in the x-api-key header as the only credential.',
    'access.tokenIsAnAlternative': {
      words: 'A bearer token of the team is accepted instead of the API key.',
      reason: 'Bearer tokens are accepted on protected routes, and which routes those are is left open.',
      assumption: 'bearerRoutes',
    },
    'access.noCredentialIs401': returns(401, 'A request without a credential'),
    'access.wrongKeyIs401': returns(401, 'A request with an API key that belongs to no team'),
    'access.wrongTokenIs401': returns(401, 'A request whose only credential is an invalid bearer token'),
  }),
  requirements('Authentication', ['listTemplates'], {
    'access.credentialComesFirst': {
      words: 'A request without a valid credential returns 401, even if its body or its query is invalid.',
      status: 401,
      operations: [...withBody, 'listTemplates', 'deleteContactsByEmail'],
    },
    'access.agentsListTheirOwnTemplates':
      'An agent who lists templates gets their own templates, and no template of anyone else.',
    'access.adminsListAllTemplates':
      'An admin who lists templates gets all templates of the team, whoever created them.',
  }),
  requirements('What the service does', showingTheTeam, {
    'access.recordsCarryTheirTeam':
      'Records created with the API key of one team share a teamId, and records created with the key of another team do not have it.',
  }),
  requirements('What the service does', updates, {
    'access.readsStayInTheTeam': {
      words: 'Reading by the id of a record of another team returns nothing of that record.',
      operations: ['getConversation', 'listConversationsOfContact', 'listMessages', 'getTemplate'],
    },
    'access.listsStayInTheTeam': {
      words: 'A list of templates contains no template of another team.',
      operations: ['listTemplates'],
    },
    'access.updatesStayInTheTeam': 'An update of a record of another team is refused, and the record stays unchanged.',
    'access.deletesStayInTheTeam': {
      words: 'A delete of a record of another team finds nothing to delete, and the record stays in place.',
      operations: deletesById,
    },
    'access.deletesByEmailStayInTheTeam': {
      words: 'Deleting by e-mail does not delete contacts of another team that have the same address.',
      operations: ['deleteContactsByEmail'],
    },
    'access.sendsStayInTheTeam': {
      words: 'A send to a contact or into a conversation of another team is refused, and adds nothing to it.',
      operations: singleSends,
    },
    'access.referencesStayInTheTeam': {
      words: 'A conversation or a quote cannot be created from a contact or a deal of another team.',
      operations: ['createConversation', 'createQuote'],
    },
    'access.sameAddressInTwoTeams': {
      words: 'When two teams send the same address, each gets a contact of its own.',
      operations: ['findOrCreateConversation', 'createContactWithConversation', 'createOrUpdateContact'],
    },
  }),
] as const
