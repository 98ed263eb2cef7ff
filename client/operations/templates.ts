import { plainType } from '../bodies.ts'
import { anything, outcomeAlone, type Rows } from './row.ts'

export const templates = {
  listTemplates: {
    request: (_, { target }) => ({
      query: { page: 1, limit: 10, types: [plainType(target)], statuses: ['approved'] },
    }),
    shape: [
      [/^pagination is required/, 'envelope.paginationStandsBesideData'],
      [/^pagination/, 'template.listHasPagination'],
      [/\.status must/, 'template.statusIsKnown'],
      [anything, 'template.listIsAList'],
    ],
  },
  getTemplate: {
    request: ({ at }) => at('template'),
    shape: [
      [/\.status must/, 'template.statusIsKnown'],
      [anything, 'template.getShowsTheTemplate'],
    ],
  },
  createTemplate: {
    request: (_, { some, target }) => ({ body: some.template[plainType(target)]() }),
    shape: [
      [/\.status must/, 'template.statusIsKnown'],
      [/\.subject\b/, 'template.createAnswersWithTheSubject'],
      [anything, 'template.createAnswersWithTheTemplate'],
    ],
  },
  updateTemplate: {
    request: async ({ at }, { mint, target }) => ({
      ...(await at('template')),
      body: { templateType: plainType(target), name: mint.name('Opening hours in May') },
    }),
    shape: [[anything, 'template.updateAnswersWithTheChange']],
  },
  deleteTemplate: {
    request: ({ at }) => at('template'),
    shape: outcomeAlone,
  },
} satisfies Rows
