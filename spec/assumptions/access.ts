import { templatesByRole } from '../operation-groups.ts'
import { register } from './register.ts'

/** Credentials, and what each role sees. */
export const access = register('Authentication', 'all', {
  bearerRoutes: {
    question: 'Which routes accept a bearer token instead of an API key?',
    choices: { all: 'all routes', none: 'no route: without an API key the response is 401' },
    probe: 'read one record of each group with only a bearer token',
  },
  bothCredentials: {
    question: 'A request has an API key and a bearer token, and they disagree or one is invalid: which one counts?',
    choices: { key: 'the API key', bearer: 'the bearer token', refuse: 'neither: the response is 401' },
    probe: 'send a valid key with an invalid token, then the reverse',
  },
  roleOfKey: {
    question: 'Agents see their own templates, admins all templates of the team: which role does an API key have?',
    operations: templatesByRole,
    choices: {
      admin: 'the role of an admin, who sees all templates of the team',
      agent: 'the role of an agent, who sees only the templates created with an API key',
    },
    likely: 'The key identifies the whole team.',
    probe: 'create an SMS template with an agent’s token, then list templates with the key',
  },
  templatesOfAgents: {
    question: 'Agents list only their own templates: can they get another template by its id?',
    operations: ['getTemplate'],
    choices: { notFound: 'no: 404', shown: 'yes: only the list is restricted' },
    probe: 'create an SMS template with the key, and get it with an agent’s token',
  },
  templateChangesByAgent: {
    question: 'Can an agent update or delete a template that is not their own?',
    operations: ['updateTemplate', 'deleteTemplate'],
    choices: { notFound: 'no: 404', allowed: 'yes' },
    probe: 'create an SMS template with the key, and update it with an agent’s token',
  },
  templateSendsByAgent: {
    question: 'Can an agent send a template that is not their own?',
    operations: ['sendMessage', 'sendBulkMessages'],
    choices: { allowed: 'yes: only the list is restricted', notFound: 'no: 404' },
    probe: { sends: 'send an approved WhatsApp template of an admin with an agent’s token to a test number' },
  },
  keyMadeTemplates: {
    question: 'A template created with an API key has no user as its owner: is it one of an agent’s own templates?',
    operations: [...templatesByRole, 'sendMessage', 'sendBulkMessages'],
    choices: { hiddenFromAgents: 'no: no agent owns it', shownToAgents: 'yes: each agent owns it' },
    likely: 'Without a user as its owner, a template matches no agent.',
    probe: 'create an SMS template with the key, and list templates with an agent’s token',
  },
})
