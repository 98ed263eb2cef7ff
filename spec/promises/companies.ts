import { deletedIsGone, returns, updateMayBeEmpty, updateReturns, updateTakesAnyOne, type Wordings } from './wording.ts'

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
      reason: 'The specification names the type, and does not say that other values are refused.',
    },
  },
  Index: {
    'company.createAnswers201': returns(201, 'Creating a company', 'createCompany'),
    'company.updateAnswers200': returns(200, 'Updating a company', 'updateCompany'),
    'company.deleteAnswers200': returns(200, 'Deleting a company', 'deleteCompany'),
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
    'company.updateTakesAnyOneField': updateTakesAnyOne(
      'company',
      'updateCompany',
      'name',
      'domain',
      'industry',
      'phone',
      'address',
      'city',
      'state',
      'zip',
      'country',
      'additionalFields',
    ),
    'company.updateMayBeEmpty': updateMayBeEmpty('company', 'updateCompany'),
    'company.updateShowsTheChange': updateReturns(
      'company',
      'updateCompany',
      'the new name and the unchanged domain',
      'name',
      'domain',
    ),
    'company.deletedIsGone': deletedIsGone('company', 'deleteCompany'),
  },
} as const satisfies Wordings<'company'>
