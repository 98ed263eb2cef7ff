import type { OperationsOf } from '../core/operation.ts'
import { created, done, ok, page } from '../core/replies.ts'
import { found, foundForUpdate } from '../rules/found.ts'
import { countPages, limitPage, toSkipAndTake } from '../rules/pagination.ts'
import { removeRecord } from '../rules/record-deletion.ts'
import { updateRecord } from '../rules/record-update.ts'
import {
  relyOnApproval,
  relyOnApprovalInList,
  restartApproval,
  startApproval,
} from '../rules/templates/template-approval.ts'
import { checkButtons } from '../rules/templates/template-buttons.ts'
import {
  checkCategory,
  checkFieldsOfType,
  checkLanguage,
  checkTemplateProvider,
  checkTypeIsKept,
  checkUniqueName,
} from '../rules/templates/template-fields.ts'
import { checkHeader } from '../rules/templates/template-header.ts'
import { checkTexts } from '../rules/templates/template-texts.ts'
import { showCreatedTemplate, showTemplate, showUpdatedTemplate } from '../rules/templates/template-view.ts'
import { checkMayChange, checkMayGet, countSelected, selectVisible } from '../rules/templates/template-visibility.ts'

export const templates: OperationsOf<
  'listTemplates' | 'getTemplate' | 'createTemplate' | 'updateTemplate' | 'deleteTemplate'
> = {
  async listTemplates({ query, turn }) {
    const pageRequest = limitPage(query, turn)
    const { index, values } = await selectVisible(query, turn)
    await relyOnApprovalInList(query, turn)
    const total = await countSelected({ index, values }, turn)
    const order = total > 1 ? turn.assumed.templateOrder : 'newestFirst'
    const { records } = await turn.team.templates.page(index, values, { ...toSkipAndTake(pageRequest), order })
    const data = records.map((template) => showTemplate(template, turn))
    const pagination = { totalResults: total, limit: pageRequest.limit, ...countPages(pageRequest, total, turn) }
    return page(total === 1 ? '1 template' : `${total} templates`, data, pagination)
  },

  async getTemplate({ path, turn }) {
    const template = found(await turn.team.templates.get(path.templateId), path.templateId, turn)
    checkMayGet(template, turn)
    relyOnApproval(template, turn)
    return ok('Template found', showTemplate(template, turn))
  },

  async createTemplate({ body, media, turn }) {
    checkHeader(body, media, turn)
    checkButtons(body, turn)
    checkTexts(body, turn)
    checkLanguage(body, turn)
    if ('category' in body) checkCategory(body, body.templateType, turn)
    await checkUniqueName(body, turn)
    await checkTemplateProvider(body, turn)
    const owner = turn.caller.user ? { ownerId: turn.caller.user.id } : {}
    const template = { ...body, ...owner, ...startApproval(body.templateType, turn) }
    return created('Template created', showCreatedTemplate(await turn.team.templates.insert(template)))
  },

  async updateTemplate({ path, body, media, turn }) {
    const template = foundForUpdate(await turn.team.templates.get(path.templateId), path.templateId, turn)
    checkMayChange(template, turn)
    const { templateType: type, ...fields } = body
    checkTypeIsKept(type, template, turn)
    checkLanguage(fields, turn)
    checkFieldsOfType(fields, template, turn)
    if (fields.content !== undefined || fields.variables !== undefined) checkTexts({ ...template, ...fields }, turn)
    // promise template.updateMayBeEmpty. A new header file is a change too, although the file is not stored.
    const isChange = Object.keys(fields).length > 0 || media !== undefined
    const updated = isChange
      ? await updateRecord(turn.team.templates, template, { ...fields, ...restartApproval(template, turn) }, turn)
      : template
    return ok('Template updated', showUpdatedTemplate(updated, body, turn))
  },

  async deleteTemplate({ path, turn }) {
    const template = await turn.team.templates.get(path.templateId)
    if (template) checkMayChange(template, turn)
    await removeRecord(turn.team.templates, path.templateId, turn)
    return done('Template deleted')
  },
}
