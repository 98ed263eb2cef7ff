import type { ByChoice } from '../../spec/assumptions.ts'
import type { OperationsOf } from '../core/operation.ts'
import { refuse } from '../core/refusals.ts'
import { created, done, ok, page } from '../core/replies.ts'
import { deleted } from '../rules/record-deletion.ts'
import { found } from '../rules/found.ts'
import { allowedPage, countsOf, placeOf } from '../rules/pagination.ts'
import {
  checkHeader,
  checkLanguage,
  checkProviderOfTemplate,
  checkUniqueName,
} from '../rules/templates/template-fields.ts'
import { createdTemplate, shownTemplate, updatedTemplate } from '../rules/templates/template-view.ts'
import {
  progressAfterUpdate,
  progressOfNew,
  relyOnApproval,
  relyOnApprovalOfListed,
} from '../rules/templates/template-approval.ts'
import { checkMayChange, checkMayGet, countOf, templatesFor } from '../rules/templates/template-visibility.ts'
import { updated } from '../rules/record-update.ts'

export const templates: OperationsOf<
  'listTemplates' | 'getTemplate' | 'createTemplate' | 'updateTemplate' | 'deleteTemplate'
> = {
  async listTemplates({ query, turn }) {
    const asked = allowedPage(query, turn)
    const filed = await templatesFor(query, turn)
    await relyOnApprovalOfListed(query, turn)
    const total = await countOf(filed, turn)
    const order = total > 1 ? turn.assumed.templateOrder : 'newestFirst'
    const { records } = await turn.team.templates.page(filed.index, filed.values, { ...placeOf(asked), order })
    const data = records.map((template) => shownTemplate(template, turn))
    const pagination = { totalResults: total, limit: asked.limit, ...countsOf(asked, total, turn) }
    return page(total === 1 ? '1 template' : `${total} templates`, data, pagination)
  },

  async getTemplate({ path, turn }) {
    const template = found(await turn.team.templates.get(path.templateId), path.templateId, turn)
    checkMayGet(template, turn)
    relyOnApproval(template, turn)
    return ok('Template found', shownTemplate(template, turn))
  },

  async createTemplate({ body, media, turn }) {
    checkHeader(body, media)
    checkLanguage(body, turn)
    await checkUniqueName(body, turn)
    await checkProviderOfTemplate(body, turn)
    const owner = turn.caller.user ? { ownerId: turn.caller.user.id } : {}
    const progress = progressOfNew(body.templateType, turn)
    return created(
      'Template created',
      createdTemplate(await turn.team.templates.insert({ ...body, ...owner, ...progress })),
    )
  },

  async updateTemplate({ path, body, media, turn }) {
    const template = found(await turn.team.templates.get(path.templateId), path.templateId, turn)
    checkMayChange(template, turn)
    const { templateType: type, ...fields } = body
    if (type !== template.templateType) templateTypeChange[turn.assumed.templateTypeChange](template.templateType)
    checkLanguage(fields, turn)
    // Another file for its header is a change as well, though nothing is kept of it.
    const isChange = Object.keys(fields).length > 0 || media !== undefined
    const after = isChange
      ? await turn.team.templates.update(template, { ...fields, ...progressAfterUpdate(template, turn) })
      : await updated(turn.team.templates, template, {}, turn)
    return ok('Template updated', updatedTemplate(after, body, turn))
  },

  async deleteTemplate({ path, turn }) {
    const template = await turn.team.templates.get(path.templateId)
    if (template) checkMayChange(template, turn)
    await deleted(turn.team.templates, path.templateId, turn)
    return done('Template deleted')
  },
}

const templateTypeChange: ByChoice<'templateTypeChange', (type: string) => void> = {
  refused: (type) => refuse(`templateType must be ${type}, as it is for this template`),
  ignored: () => undefined,
}
