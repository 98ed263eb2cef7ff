import type { Schemas } from '../../spec/types.ts'
import type { OperationsOf } from '../core/operation.ts'
import { created, done } from '../core/replies.ts'
import type { Turn } from '../core/turn.ts'
import { foundForUpdate } from '../rules/found.ts'
import { checkNotNegative } from '../rules/negative-numbers.ts'
import { removeRecord } from '../rules/record-deletion.ts'
import { updateRecord } from '../rules/record-update.ts'
import { checkTextForms } from '../rules/record-texts.ts'
import { replyToUpdate, showRecord } from '../rules/record-view.ts'
import { checkSku } from '../rules/same-record-twice.ts'

export const products: OperationsOf<'createProduct' | 'updateProduct' | 'deleteProduct'> = {
  async createProduct({ body, turn }) {
    checkFields(body, turn)
    await checkSku(body, turn)
    const product = await turn.team.products.insert(body)
    return created('Product created', showRecord('products', product, turn))
  },

  async updateProduct({ path, body, turn }) {
    const product = foundForUpdate(await turn.team.products.get(path.productId), path.productId, turn)
    checkFields(body, turn)
    await checkSku(body, turn, product)
    const updated = await updateRecord(turn.team.products, product, body, turn)
    return replyToUpdate('Product updated', 'products', updated, turn)
  },

  async deleteProduct({ path, turn }) {
    await removeRecord(turn.team.products, path.productId, turn)
    return done('Product deleted')
  },
}

function checkFields({ unitPrice, unitCost, ...texts }: Schemas['ProductFields'], turn: Turn): void {
  checkTextForms(texts, turn)
  checkNotNegative({ unitPrice, unitCost }, turn)
}
