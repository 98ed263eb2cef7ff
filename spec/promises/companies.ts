import type { Wordings } from './wording.ts'

/** Companies: where contacts work. */
export const companies = {
  Company: {
    'company.createShowsTheRecord': {
      words: 'Creating a company returns its id, its teamId, and the name and domain that were sent.',
      operations: ['createCompany'],
      fields: ['_id', 'name', 'domain', 'teamId'],
    },
    'company.takesEveryField': {
      words: 'Creating a company accepts each writable field.',
      operations: ['createCompany'],
      fields: ['name', 'domain', 'industry', 'phone', 'address', 'city', 'state', 'zip', 'country'],
    },
    'company.takesTheFieldsOfTheExample': {
      words: 'Creating a company accepts the additional fields that only the example uses.',
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
    'company.wrongTypesAreRefused': {
      words: 'A company with a number, a list or an object of another type returns 400.',
      operations: ['createCompany', 'updateCompany'],
      status: 400,
      fields: ['employeeCount', 'annualRevenue', 'contacts', 'additionalFields'],
      strength: 'usual',
      reason: 'The specification names the type, and does not say that other values are refused.',
    },
  },
  Index: {
    'company.createAnswers201': {
      words: 'Creating a company returns 201.',
      operations: ['createCompany'],
      status: 201,
    },
    'company.updateAnswers200': {
      words: 'Updating a company returns 200.',
      operations: ['updateCompany'],
      status: 200,
    },
    'company.deleteAnswers200': {
      words: 'Deleting a company returns 200.',
      operations: ['deleteCompany'],
      status: 200,
    },
  },
  Companies: {
    'company.createRequires': {
      words: 'Creating a company without a name returns 400.',
      operations: ['createCompany'],
      status: 400,
      fields: ['name'],
    },
    'company.requiredFieldsSuffice': {
      words: 'A company can be created with only a name.',
      operations: ['createCompany'],
      fields: ['name'],
    },
    'company.updateTakesAnyOneField': {
      words: 'An update of a company may consist of any single field.',
      operations: ['updateCompany'],
      fields: ['name', 'domain', 'industry', 'phone', 'address', 'city', 'state', 'zip', 'country', 'additionalFields'],
    },
    'company.updateMayBeEmpty': {
      words: 'An update of a company may have no field at all, as each of them is optional.',
      operations: ['updateCompany'],
      strength: 'usual',
      reason: 'That each field is optional need not mean that all may be missing at once.',
    },
    'company.updateShowsTheChange': {
      words: 'Updating a company returns the new name and the unchanged domain.',
      operations: ['updateCompany'],
      fields: ['name', 'domain'],
      strength: 'usual',
      reason: 'It is not stated that an update returns the company.',
    },
    'company.deletedIsGone': {
      words: 'A deleted company can no longer be updated, and all others can.',
      operations: ['deleteCompany'],
    },
  },
} as const satisfies Wordings<'company'>
