import {
  refuses,
  requirements,
  requiresOne,
  succeeds,
  suffices,
  typeIsNamed,
  updateKeepsTheRest,
  updateMayBeEmpty,
  updateReturns,
  updateTakesAnyOne,
} from './wording.ts'

const fields = ['name', 'domain', 'industry', 'phone', 'address', 'city', 'state', 'zip', 'country'] as const

/** Companies: where contacts work. */
export const companies = [
  requirements('Company', ['createCompany'], {
    'company.createShowsTheRecord': {
      words: 'Creating a company returns its id, its teamId, and the name and domain that were sent.',
      fields: ['_id', 'name', 'domain', 'teamId'],
    },
    'company.takesEveryField': { words: 'Creating a company accepts each writable field.', fields },
    'company.takesTheFieldsOfTheExample': {
      words: 'Creating a company accepts the additional fields that only the example uses.',
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
      ...refuses(
        ['employeeCount', 'annualRevenue', 'contacts', 'additionalFields'],
        'A company with a number, a list or an object of another type',
      ),
      operations: ['createCompany', 'updateCompany'],
      ...typeIsNamed,
    },
  }),
  requirements('Index', ['createCompany'], {
    'company.createAnswers201': succeeds(201, 'Creating a company'),
    'company.updateAnswers200': { ...succeeds(200, 'Updating a company'), operations: ['updateCompany'] },
    'company.deleteAnswers200': { ...succeeds(200, 'Deleting a company'), operations: ['deleteCompany'] },
  }),
  requirements('Companies', ['createCompany'], {
    'company.createRequires': requiresOne('Creating a company', 'name'),
    'company.requiredFieldsSuffice': suffices('A company can be created with only a name.', 'name'),
  }),
  requirements('Companies', ['updateCompany'], {
    'company.updateTakesAnyOneField': updateTakesAnyOne('company', ...fields, 'additionalFields'),
    'company.updateMayBeEmpty': updateMayBeEmpty('company'),
    'company.updateKeepsTheRest': updateKeepsTheRest('company'),
    'company.updateShowsTheChange': updateReturns('company', 'the new name and the unchanged domain', 'name', 'domain'),
  }),
  requirements('Companies', ['deleteCompany'], {
    'company.deletedIsGone': 'A deleted company can no longer be updated, and all others can.',
  }),
] as const
