import { templatesByRole } from '../operation-groups.ts'
import { register } from './register.ts'

/** Who may call, as whom, and what each role sees. */
export const access = register({
  firstCheck: {
    section: 'Authentication',
    question: 'When both the credentials and the request are bad, which of the two is reported?',
    operations: 'all',
    choices: {
      credential: 'the credentials (401), and nothing is said about the request',
      body: 'the request (400), as far as it can be judged without knowing the team',
    },
    assumed: 'credential',
    probe: 'send a body with a required field missing, and no credentials: 401 or 400',
  },
  bearerRoutes: {
    section: 'Authentication',
    question: 'Which routes take a bearer token instead of an API key?',
    operations: 'all',
    choices: { all: 'every route', none: 'no route: without an API key the answer is 401' },
    assumed: 'all',
    probe: 'read one record of each group with a bearer token alone',
  },
  bothCredentials: {
    section: 'Authentication',
    question: 'An API key and a bearer token are both sent, and they disagree or one is not valid: which one counts?',
    operations: 'all',
    choices: {
      key: 'the API key',
      bearer: 'the bearer token',
      refuse: 'neither: the answer is 401',
    },
    assumed: 'key',
    probe: 'send a valid key with a token that is not valid, then the other way round',
  },
  roleOfKey: {
    section: 'Authentication',
    question: 'Agents see their own templates and admins all of the team: as which of them does an API key count?',
    operations: templatesByRole,
    choices: {
      admin: 'as an admin: it sees every template of the team',
      agent: 'as an agent: it sees only the templates that were made with an API key',
    },
    assumed: 'admin',
    probe: 'create a template with the token of an agent, then list with the key (an SMS template goes to no platform)',
  },
  templatesOfAgents: {
    section: 'Authentication',
    question: 'Agents list only their own templates: may they get the template of another by its id?',
    operations: ['getTemplate'],
    choices: { notFound: 'no: to them it is not there (404)', shown: 'yes: only the list is scoped' },
    assumed: 'notFound',
    probe: 'create an SMS template with the key, and get it with the token of an agent',
  },
  templateChangesByAgent: {
    section: 'Authentication',
    question: 'May an agent update or delete the template of another?',
    operations: ['updateTemplate', 'deleteTemplate'],
    choices: { notFound: 'no: to them it is not there (404)', allowed: 'yes' },
    assumed: 'notFound',
    probe: 'create an SMS template with the key, and update it with the token of an agent',
  },
  keyMadeTemplates: {
    section: 'Authentication',
    question: 'A template was made with an API key, which is nobody’s: do agents see it as their own?',
    operations: templatesByRole,
    choices: { hiddenFromAgents: 'no: it belongs to no agent', shownToAgents: 'yes: it belongs to the whole team' },
    assumed: 'hiddenFromAgents',
    probe: 'create an SMS template with the key, and list with the token of an agent',
  },
})
