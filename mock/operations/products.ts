import type { Schemas } from '../../spec/types.ts'
import { ok, done, type OperationsOf } from '../core/operation.ts'
import type { Transaction } from '../core/transaction.ts'
import { foundForUpdate } from '../rules/refuse.ts'
import { removeRecord } from '../rules/deletion.ts'
import { checkNotNegative, checkUnique, checkTextForms } from '../rules/record-fields.ts'
import { updateRecord, replyToUpdate, showRecord, withTimes } from '../rules/records.ts'

export const products: OperationsOf<'createProduct' | 'updateProduct' | 'deleteProduct'> = {
  async createProduct({ body, tx }) {
    checkFields(body, tx)
    await checkUnique('sku', body, tx)
    const product = await tx.team.products.insert(withTimes(body, tx))
    return ok('Product created', showRecord('products', product, tx))
  },

  async updateProduct({ path, body, tx }) {
    const product = foundForUpdate(await tx.team.products.get(path.productId), path.productId, tx)
    checkFields(body, tx)
    await checkUnique('sku', body, tx, product)
    const updated = await updateRecord(tx.team.products, product, body, tx)
    return replyToUpdate('Product updated', 'products', updated, tx)
  },

  async deleteProduct({ path, tx }) {
    await removeRecord(tx.team.products, path.productId, tx)
    return done('Product deleted')
  },
}

function checkFields({ unitPrice, unitCost, ...texts }: Schemas['ProductFields'], tx: Transaction): void {
  checkTextForms(texts, tx)
  checkNotNegative({ unitPrice, unitCost }, tx)
}
