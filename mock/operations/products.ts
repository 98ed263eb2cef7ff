import type { Schemas } from '../../spec/types.ts'
import type { OperationsOf } from '../core/operation.ts'
import { created, done } from '../core/replies.ts'
import type { Turn } from '../core/turn.ts'
import { deleted } from '../rules/record-deletion.ts'
import { found } from '../rules/found.ts'
import { checkNegatives } from '../rules/negative-numbers.ts'
import { afterUpdate, shown } from '../rules/record-view.ts'
import { updated } from '../rules/record-update.ts'

export const products: OperationsOf<'createProduct' | 'updateProduct' | 'deleteProduct'> = {
  async createProduct({ body, turn }) {
    checkPrices(body, turn)
    return created('Product created', shown('products', await turn.team.products.insert(body), turn))
  },

  async updateProduct({ path, body, turn }) {
    const product = found(await turn.team.products.get(path.productId), path.productId, turn)
    checkPrices(body, turn)
    const changed = await updated(turn.team.products, product, body, turn)
    return afterUpdate('Product updated', 'products', changed, turn)
  },

  async deleteProduct({ path, turn }) {
    await deleted(turn.team.products, path.productId, turn)
    return done('Product deleted')
  },
}

function checkPrices({ unitPrice, unitCost }: Schemas['ProductFields'], turn: Turn): void {
  checkNegatives({ unitPrice, unitCost }, turn)
}
