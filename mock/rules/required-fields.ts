import { promise } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import type { Body } from './body-fields.ts'

/** The fields that a create requires and an update can send, so that an update may not take them away. */
export function fieldsToKeep(id: OperationId, { templateType }: Body): readonly string[] {
  if (id !== 'updateTemplate') return byUpdate[id] ?? []
  return promise(templateType === 'whatsapp' ? 'template.whatsappRequires' : 'template.smsRequires').fields
}

const names = promise('contact.createRequires').fields

const byUpdate: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  updateContact: names,
  createOrUpdateContact: names,
  updateCompany: promise('company.createRequires').fields,
  updateProduct: promise('product.createRequires').fields,
  updateDeal: promise('deal.createRequires').fields,
}
