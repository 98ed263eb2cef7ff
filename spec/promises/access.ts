import { deletesById, singleSends, updates } from '../operation-groups.ts'
import type { Wordings } from './wording.ts'

/** Who may call, and whose records they reach. */
export const access = {
  Authentication: {
    'access.keyOpensEveryOperation': {
      words: 'A team key in the x-api-key header is credential enough for every operation.',
      operations: 'all',
    },
    'access.tokenIsAnAlternative': {
      words: 'A bearer token of the team is taken in place of the key.',
      operations: 'all',
      strength: 'usual',
      reason: 'Tokens are accepted on protected routes, and which routes those are is left open.',
    },
    'access.noCredentialIs401': {
      words: 'A request that carries no credential is answered 401.',
      operations: 'all',
      status: 401,
    },
    'access.wrongKeyIs401': {
      words: 'A request whose key belongs to no team is answered 401.',
      operations: 'all',
      status: 401,
    },
    'access.wrongTokenIs401': {
      words: 'A request whose only credential is an invalid bearer token is answered 401.',
      operations: 'all',
      status: 401,
    },
    'access.agentsListTheirOwnTemplates': {
      words: 'An agent who lists templates gets their own, and no template of anyone else.',
      operations: ['listTemplates'],
    },
    'access.adminsListAllTemplates': {
      words: 'An admin who lists templates gets those of the whole team, whoever made them.',
      operations: ['listTemplates'],
    },
  },
  'What the service does': {
    'access.recordsCarryTheirTeam': {
      words:
        'Records made with the key of one team share a teamId, and those made with the key of another do not have it.',
      operations: [
        'findOrCreateConversation',
        'createContactWithConversation',
        'createConversation',
        'createContact',
        'updateContact',
        'deleteContact',
        'createOrUpdateContact',
        'createCompany',
        'updateCompany',
      ],
    },
    'access.readsStayInTheTeam': {
      words: 'Reading by the id of a record of another team shows nothing of it.',
      operations: ['getConversation', 'listConversationsOfContact', 'listMessages', 'getTemplate'],
    },
    'access.listsStayInTheTeam': {
      words: 'A list of templates holds none of another team.',
      operations: ['listTemplates'],
    },
    'access.updatesStayInTheTeam': {
      words: 'An update of a record of another team is refused and leaves that record as it was.',
      operations: updates,
    },
    'access.deletesStayInTheTeam': {
      words: 'A delete of a record of another team finds nothing to delete, and leaves that record in place.',
      operations: deletesById,
    },
    'access.deletesByEmailStayInTheTeam': {
      words: 'Deleting by e-mail leaves the contacts that another team has with the same address.',
      operations: ['deleteContactsByEmail'],
    },
    'access.sendsStayInTheTeam': {
      words: 'A send to a contact or into a conversation of another team is refused and adds nothing to it.',
      operations: singleSends,
    },
    'access.referencesStayInTheTeam': {
      words: 'A conversation or a quote cannot be made from a contact or a deal of another team.',
      operations: ['createConversation', 'createQuote'],
    },
    'access.sameAddressInTwoTeams': {
      words: 'Two teams that give the same address each get a contact of their own.',
      operations: ['findOrCreateConversation', 'createContactWithConversation', 'createOrUpdateContact'],
    },
  },
} as const satisfies Wordings<'access'>
