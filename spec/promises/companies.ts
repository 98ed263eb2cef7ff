import type { Wordings } from './wording.ts'

/** Where contacts work. */
export const companies = {
  Company: {
    'company.createShowsTheRecord': {
      words: 'A company that was created shows an id, its team, and the name and domain that it was given.',
      operations: ['createCompany'],
      fields: ['_id', 'name', 'domain', 'teamId'],
    },
    'company.takesEveryField': {
      words: 'Each writable field of a company is accepted on create.',
      operations: ['createCompany'],
      fields: ['name', 'domain', 'industry', 'phone', 'address', 'city', 'state', 'zip', 'country'],
    },
    'company.takesTheFieldsOfTheExample': {
      words: 'A company can be created with the further fields that only the example uses.',
      operations: ['createCompany'],
      fields: [
        'email',
        'phoneNumber',
        'logoUrl',
        'postalCode',
        'employeeCount',
        'annualRevenue',
        'contacts',
        'additionalFields',
      ],
    },
  },
  Index: {
    'company.createAnswers201': {
      words: 'Creating a company answers 201.',
      operations: ['createCompany'],
      status: 201,
    },
    'company.updateAnswers200': {
      words: 'Updating a company answers 200.',
      operations: ['updateCompany'],
      status: 200,
    },
    'company.deleteAnswers200': {
      words: 'Deleting a company answers 200.',
      operations: ['deleteCompany'],
      status: 200,
    },
  },
  Companies: {
    'company.createRequires': {
      words: 'Creating a company without a name is answered 400.',
      operations: ['createCompany'],
      status: 400,
      fields: ['name'],
    },
    'company.updateTakesAnyOneField': {
      words: 'Any single field is enough for an update of a company.',
      operations: ['updateCompany'],
      fields: ['name', 'domain', 'industry', 'phone', 'address', 'city', 'state', 'zip', 'country', 'additionalFields'],
    },
    'company.updateShowsTheChange': {
      words: 'The answer to an update of a company shows the new name and the domain that was left alone.',
      operations: ['updateCompany'],
      fields: ['name', 'domain'],
      strength: 'usual',
      reason: 'That an update answers with the company is not stated.',
    },
    'company.deletedIsGone': {
      words: 'A company that was deleted can no longer be updated.',
      operations: ['deleteCompany'],
    },
  },
} as const satisfies Wordings<'company'>
