import { plainType } from '../../client/operations/templates.ts'
import { NotAllowed, StepFailed } from '../../client/errors.ts'
import type { Tools } from '../../client/tools.ts'

/** What a run makes up, and what a server may refuse although it keeps every promise. */
interface Material {
  readonly isIn: (request: string) => boolean
  /** Whether a request is refused with it, and the same succeeds without. */
  readonly isRefused: (tools: Tools) => Promise<boolean>
  readonly words: (tools: Tools) => string
}

const ada = { firstName: 'Ada', lastName: 'Lovelace' }

const refusedEmail: Material['words'] = ({ mint }) =>
  `this server refuses the e-mail address ${mint.email()}; name another domain with --email-domain`
const refusedPhone: Material['words'] = ({ mint }) =>
  `this server refuses the phone number ${mint.phone()}, which is reserved for fiction`

const materials: readonly Material[] = [
  {
    isIn: (request) => /@[\w-]+(\.|%2E)/i.test(request),
    isRefused: async ({ call, mint }) =>
      isOnly(
        (await call('createContact', { body: { ...ada, source: mint.name('e-mail'), email: mint.email() } })).status,
        (await call('createContact', { body: { ...ada, source: mint.name('phone'), phone: mint.phone() } })).status,
      ),
    words: refusedEmail,
  },
  {
    isIn: (request) => /"to":"[^"]*@/.test(request),
    isRefused: async ({ call, make, recipient, some }) => {
      const recipientIds = [(await make.contact())._id]
      const [without, alone, joined] = [
        await call('sendEmailMessage', { body: some.email({ recipientIds }) }),
        await call('sendEmailMessage', { body: some.email({ to: recipient.email() }) }),
        await call('sendEmailMessage', { body: some.email({ recipientIds, to: recipient.email() }) }),
      ]
      return isOnly(alone.status, without.status) && isOnly(joined.status, without.status)
    },
    words: refusedEmail,
  },
  {
    isIn: (request) => request.includes('"domain":"'),
    isRefused: async ({ call, some }) =>
      isOnly(
        (await call('createCompany', { body: some.company() })).status,
        (await call('createCompany', { body: { name: some.company().name } })).status,
      ),
    words: ({ some }) =>
      `this server refuses a company at ${String(some.company().domain)}; name another domain with --email-domain`,
  },
  {
    isIn: (request) => request.includes('"currency":"'),
    isRefused: async ({ call, some }) => {
      const { currency, ...deal } = some.deal()
      return isOnly(
        (await call('createDeal', { body: { ...deal, currency } })).status,
        (await call('createDeal', { body: deal })).status,
      )
    },
    words: ({ some }) => `this server refuses deals in ${String(some.deal().currency)}`,
  },
  {
    isIn: (request) => /\+\d{7}/.test(request),
    isRefused: async ({ call, mint }) =>
      isOnly(
        (await call('findOrCreateConversation', { body: { email: mint.email(), phone: mint.phone() } })).status,
        (await call('findOrCreateConversation', { body: { email: mint.email() } })).status,
      ),
    words: refusedPhone,
  },
  {
    isIn: (request) => /\+\d{7}/.test(request),
    isRefused: async ({ call, mint }) =>
      isOnly(
        (await call('createContact', { body: { ...ada, source: mint.name('phone'), phone: mint.phone() } })).status,
        (await call('createContact', { body: { ...ada, source: mint.name('e-mail'), email: mint.email() } })).status,
      ),
    words: refusedPhone,
  },
  {
    isIn: (request) => /"https:\/\/[\w.]*example\.com\//.test(request),
    isRefused: async (tools) => (await refusesMedia(tools)) || (await refusesPictures(tools)),
    words: () => `this server refuses files that it cannot fetch; name a picture with --media-url`,
  },
  {
    isIn: (request) => /"language":"|name="language"/.test(request),
    isRefused: refusesLanguage,
    words: () => 'this server refuses the language en without a region',
  },
  {
    isIn: (request) => request.includes('"additionalFields":{"'),
    isRefused: async ({ call, some }) =>
      isOnly(
        (await call('createContact', { body: some.contact({ additionalFields: { favouriteColour: 'teal' } }) })).status,
        (await call('createContact', { body: some.contact() })).status,
      ),
    words: () => 'this server refuses custom fields that nobody has defined',
  },
]

/** Nobody finds a file there. */
const nowhere = 'https://files.example.com/engine.png'

async function refusesMedia({ call, recipient, some }: Tools): Promise<boolean> {
  const media = { mediaUrl: nowhere, mediaType: 'image' }
  return call('sendLiveMessage', { body: some.chat({ to: recipient.phone(), ...media }) }).then(
    async ({ status }) =>
      isOnly(status, (await call('sendLiveMessage', { body: some.chat({ to: recipient.phone() }) })).status),
    cannotTell,
  )
}

async function refusesPictures({ call, some }: Tools): Promise<boolean> {
  return (
    isOnly(
      (await call('createProduct', { body: some.product({ imageUrl: nowhere }) })).status,
      (await call('createProduct', { body: some.product() })).status,
    ) ||
    isOnly(
      (await call('createCompany', { body: some.company({ logoUrl: nowhere }) })).status,
      (await call('createCompany', { body: some.company() })).status,
    )
  )
}

async function refusesLanguage({ call, some, target }: Tools): Promise<boolean> {
  const { language, ...template } = some.template[plainType(target)]()
  const other = some.template[plainType(target)]()
  return isOnly(
    (await call('createTemplate', { body: { ...template, language } })).status,
    (await call('createTemplate', { body: { ...template, uniqueName: other.uniqueName, name: other.name } })).status,
  )
}

const isOnly = (withIt: number, without: number) => withIt >= 400 && withIt < 500 && without < 300

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
    const known = this.#known.get(material) ?? (await material.isRefused(this.#tools).catch(cannotTell))
    this.#known.set(material, known)
    return known
  }
}

function cannotTell(error: unknown): boolean {
  if (error instanceof NotAllowed || error instanceof StepFailed) return false
  throw error
}
