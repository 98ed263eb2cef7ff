import { TooBusy } from '../../client/errors.ts'
import type { Tools } from '../../client/tools.ts'
import { cannotTell } from './attempts.ts'
import type { Material } from './material.ts'
import { materials } from './materials.ts'

/** Tells whether a refusal is about what the run made up, which is no verdict on the promise. */
export class Excuses {
  readonly #tools: Tools
  readonly #known = new Map<Material, boolean>()

  constructor(tools: Tools) {
    this.#tools = tools
  }

  /** Why a request with this text was refused; nothing if it was for its own sake. */
  async excuse(request: string): Promise<string | undefined> {
    for (const material of materials)
      if (material.isIn(request) && (await this.#isRefused(material))) return material.words(this.#tools)
    return undefined
  }

  async #isRefused(material: Material): Promise<boolean> {
    const known = this.#known.get(material) ?? (await askPatiently(() => material.isRefused(this.#tools)))
    this.#known.set(material, known)
    return known
  }
}

/** Asks again when the server was too busy for one of the requests. */
async function askPatiently(ask: () => Promise<boolean>, attempts = 3): Promise<boolean> {
  try {
    return await ask()
  } catch (error) {
    return error instanceof TooBusy && attempts > 1 ? askPatiently(ask, attempts - 1) : cannotTell(error)
  }
}
