import type { Assumed } from '../../spec/assumed.ts'
import type { Schemas } from '../../spec/types.ts'
import type { Operations } from '../operation.ts'
import { created, done } from '../replies.ts'
import { deleted } from '../rules/deletion.ts'
import { found } from '../rules/found.ts'
import { checkNegatives } from '../rules/negative-numbers.ts'
import { afterUpdate, shown } from '../rules/record-shown.ts'
import { updated } from '../rules/update-of-a-record.ts'

export const products: Pick<Operations, 'createProduct' | 'updateProduct' | 'deleteProduct'> = {
  async createProduct({ body, team, assumed }) {
    checkPrices(body, assumed)
    return created('Product created', shown('products', await team.products.insert(body), assumed))
  },

  async updateProduct({ path, body, team, assumed }) {
    const product = found(await team.products.get(path.productId), path.productId, assumed)
    checkPrices(body, assumed)
    const changed = await updated(team.products, product, body, assumed)
    return afterUpdate('Product updated', 'products', changed, assumed)
  },

  async deleteProduct({ path, team, assumed }) {
    await deleted(team, team.products, path.productId, assumed)
    return done('Product deleted')
  },
}

function checkPrices({ unitPrice, unitCost }: Schemas['ProductFields'], assumed: Assumed): void {
  checkNegatives({ unitPrice, unitCost }, assumed)
}
