import { mapSlices } from '../../lib/pause.ts'
import { ok, done, page, type OperationsOf } from '../core/operation.ts'
import { found, foundForUpdate } from '../rules/refuse.ts'
import { countPages, limitPage, toSkipAndTake } from '../rules/pagination.ts'
import { removeRecord } from '../rules/deletion.ts'
import { updateRecord } from '../rules/records.ts'
import { restartApproval, startApproval } from '../rules/templates/template-approval.ts'
import {
  checkHeader,
  checkTexts,
  checkCategory,
  checkFieldsOfType,
  checkLanguage,
  checkTemplateProvider,
  checkTypeIsKept,
  checkUniqueName,
} from '../rules/templates/template-fields.ts'
import {
  showCreatedTemplate,
  showTemplate,
  showUpdatedTemplate,
  checkMayChange,
  checkMayGet,
  readVisible,
} from '../rules/templates/template-visibility.ts'

export const templates: OperationsOf<
  'listTemplates' | 'getTemplate' | 'createTemplate' | 'updateTemplate' | 'deleteTemplate'
> = {
  async listTemplates({ query, tx }) {
    const pageRequest = limitPage(query, tx)
    const order = tx.assumed.relyOn('templateOrder', false)
    const { total, records } = await readVisible(query, { ...toSkipAndTake(pageRequest), order }, tx)
    tx.assumed.relyOn('templateOrder', total > 1)
    const data = await mapSlices(records, (slice) => slice.map((template) => showTemplate(template, tx)))
    const pagination = { totalResults: total, limit: pageRequest.limit, ...countPages(pageRequest, total, tx) }
    return page(total === 1 ? '1 template' : `${total} templates`, data, pagination)
  },

  async getTemplate({ path, tx }) {
    const template = found(await tx.team.templates.get(path.templateId), path.templateId, tx)
    checkMayGet(template, tx)
    return ok('Template found', showTemplate(template, tx))
  },

  async createTemplate({ body, media, tx }) {
    checkHeader(body, media, tx)
    checkTexts(body, tx)
    checkLanguage(body, tx)
    if ('category' in body) checkCategory(body, body.templateType, tx)
    await checkUniqueName(body, tx)
    await checkTemplateProvider(body, tx)
    const owner = tx.caller.user ? { ownerId: tx.caller.user.id } : {}
    const template = { ...body, ...owner, ...startApproval(body.templateType, tx) }
    return ok('Template created', showCreatedTemplate(await tx.team.templates.insert(template)))
  },

  async updateTemplate({ path, body, media, tx }) {
    const template = foundForUpdate(await tx.team.templates.get(path.templateId), path.templateId, tx)
    checkMayChange(template, tx)
    const { templateType: type, ...fields } = body
    checkTypeIsKept(type, template, tx)
    checkLanguage(fields, tx)
    checkFieldsOfType(fields, template, tx)
    if (fields.content !== undefined || fields.variables !== undefined) checkTexts({ ...template, ...fields }, tx)
    // promise template.updateMayBeEmpty. A new header file is a change too, although the file is not stored.
    const isChange = Object.keys(fields).length > 0 || media !== undefined
    const updated = isChange
      ? await updateRecord(
          tx.team.templates,
          template,
          { ...fields, ...restartApproval(template, fields, media, tx) },
          tx,
        )
      : template
    return ok('Template updated', showUpdatedTemplate(updated, body, tx))
  },

  async deleteTemplate({ path, tx }) {
    const template = await tx.team.templates.get(path.templateId)
    if (template) checkMayChange(template, tx)
    await removeRecord(tx.team.templates, path.templateId, tx)
    return done('Template deleted')
  },
}
