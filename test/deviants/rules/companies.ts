import type { Break } from '../broken-copy.ts'
import { readAs } from '../checks-of-a-body.ts'

export const companies = {
  'company.createShowsTheRecord': {
    file: 'operations/companies.ts',
    rule: 'team.companies.insert(body)',
    instead: 'team.companies.insert({ name: body.name })',
  },
  'company.takesEveryField': readAs(
    'createCompany',
    "(body) => (/^\\d*$/.test(body.zip ?? '') ? body : refuse('zip must be digits'))",
  ),
  'company.takesTheFieldsOfTheExample': readAs(
    'createCompany',
    "(body) => (typeof body.employeeCount === 'number' ? refuse('employeeCount must be a string') : body)",
  ),
  'company.createAnswers201': {
    file: 'operations/companies.ts',
    rule: 'import { created, done }',
    instead: 'import { ok as created, done }',
  },
  'company.updateAnswers200': {
    file: 'operations/companies.ts',
    rule: "return afterUpdate('Company updated', 'companies', changed, assumed)",
    instead: "return created('Company updated', shown('companies', changed, assumed))",
  },
  'company.deleteAnswers200': {
    file: 'operations/companies.ts',
    rule: "return done('Company deleted')",
    instead: "return { ...done('Company deleted'), status: 204 }",
  },
  'company.createRequires': readAs('createCompany', "(body) => ({ name: 'Unnamed', ...body })"),
  'company.updateTakesAnyOneField': {
    file: 'operations/companies.ts',
    rule: 'updated(team.companies, company, body, assumed)',
    instead: 'updated(team.companies, company, { name: body.name ?? company.name }, assumed)',
  },
  'company.updateShowsTheChange': {
    file: 'operations/companies.ts',
    rule: "'companies', changed, assumed)",
    instead: "'companies', company, assumed)",
  },
  'company.deletedIsGone': {
    file: 'rules/deletion.ts',
    rule: 'await records.remove(record._id)',
    instead: 'await records.replace({ ...record, isDeleted: true })',
  },
} satisfies Record<string, Break>
