import type { ByChoice } from '../../spec/assumptions.ts'
import type { Operations } from '../operation.ts'
import { created, done, ok, page, refuse } from '../replies.ts'
import { deleted } from '../rules/deletion.ts'
import { checkHeader, checkLanguage, checkProviderOfTemplate, checkUniqueName } from '../rules/fields-of-a-template.ts'
import { createdTemplate, shownTemplate, updatedTemplate } from '../rules/fields-shown-of-a-template.ts'
import { found } from '../rules/found.ts'
import { allowedPage, countsOf, placeOf } from '../rules/page-of-a-list.ts'
import {
  progressAfterUpdate,
  progressOfNew,
  relyOnApproval,
  relyOnApprovalOfListed,
} from '../rules/template-approval.ts'
import { checkMayChange, checkMayGet, countOf, templatesFor } from '../rules/template-visibility.ts'
import { updated } from '../rules/update-of-a-record.ts'

export const templates: Pick<
  Operations,
  'listTemplates' | 'getTemplate' | 'createTemplate' | 'updateTemplate' | 'deleteTemplate'
> = {
  async listTemplates({ query, team, caller, assumed }) {
    const asked = allowedPage(query, assumed)
    const filed = await templatesFor(caller, query, team, assumed)
    await relyOnApprovalOfListed(query, team, assumed)
    const total = await countOf(filed, team)
    const order = total > 1 ? assumed.templateOrder : 'newestFirst'
    const { records } = await team.templates.page(filed.index, filed.values, { ...placeOf(asked), order })
    const data = records.map((template) => shownTemplate(template, assumed))
    const pagination = { totalResults: total, limit: asked.limit, ...countsOf(asked, total, assumed) }
    return page(total === 1 ? '1 template' : `${total} templates`, data, pagination)
  },

  async getTemplate({ path, team, caller, assumed }) {
    const template = found(await team.templates.get(path.templateId), path.templateId, assumed)
    checkMayGet(template, caller, assumed)
    relyOnApproval(template, assumed)
    return ok('Template found', shownTemplate(template, assumed))
  },

  async createTemplate({ body, media, team, caller, assumed, clock }) {
    checkHeader(body, media)
    checkLanguage(body, assumed)
    await checkUniqueName(body, team, assumed)
    await checkProviderOfTemplate(body, team, assumed)
    const owner = caller.user ? { ownerId: caller.user.id } : {}
    const progress = progressOfNew(body.templateType, clock, assumed)
    return created('Template created', createdTemplate(await team.templates.insert({ ...body, ...owner, ...progress })))
  },

  async updateTemplate({ path, body, media, team, caller, assumed, clock }) {
    const template = found(await team.templates.get(path.templateId), path.templateId, assumed)
    checkMayChange(template, caller, assumed)
    const { templateType: type, ...fields } = body
    if (type !== template.templateType) templateTypeChange[assumed.templateTypeChange](template.templateType)
    checkLanguage(fields, assumed)
    // Another file for its header is a change as well, though nothing is kept of it.
    const isChange = Object.keys(fields).length > 0 || media !== undefined
    const after = isChange
      ? await team.templates.update(template, { ...fields, ...progressAfterUpdate(template, clock, assumed) })
      : await updated(team.templates, template, {}, assumed)
    return ok('Template updated', updatedTemplate(after, body, assumed))
  },

  async deleteTemplate({ path, team, caller, assumed }) {
    const template = await team.templates.get(path.templateId)
    if (template) checkMayChange(template, caller, assumed)
    await deleted(team, team.templates, path.templateId, assumed)
    return done('Template deleted')
  },
}

const templateTypeChange: ByChoice<'templateTypeChange', (type: string) => void> = {
  refused: (type) => refuse(`templateType must be ${type}, as it is for this template`),
  ignored: () => undefined,
}
