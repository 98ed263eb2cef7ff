import fc from 'fast-check'
import { Plan, type PlanOptions, type Step } from '../plan.ts'
import { type Act, Story } from '../story.ts'
import { byCaller, pickTwist, type Twist, withKey } from '../twists.ts'
import * as contacts from './contacts.ts'
import * as messages from './messages.ts'
import { actsOn, change, create, remove, toStatus, view } from './records.ts'
import * as templates from './templates.ts'

/** A kind of random story. */
interface Kind {
  readonly weight: number
  /** Creates the record of the story. */
  readonly opening: Act
  /** The requests that may follow, each with its weight. */
  readonly acts: readonly (readonly [number, Act])[]
  /** Requests that show the effects of the others, and how often one of them follows. */
  readonly reads: readonly Act[]
  readonly readsInPercent?: number
  readonly removals: readonly Act[]
}

const { contactActs, createContact, converse, listConversations, readContact, readConversation, update } = contacts
const { listPage, readHistory, send, sendInto, sendText } = messages
const { changeTemplate, createTemplate, listAllTemplates, listTemplatePage, listTemplates } = templates
const { readTemplate, removeTemplate } = templates

const createDealWithQuote: Act = (story) => {
  create('deal')(story)
  create('quote')(story)
}

const removals = [contacts.removeContact, contacts.removeContact, contacts.removeByEmail]
const reads = [readContact, readContact, readConversation, listConversations, readHistory]
const writing = [...messages.messageActs.map(([weight, act]) => [3 * weight, act] as const), ...contactActs]

const kinds: readonly Kind[] = [
  { weight: 3, opening: create('company'), ...actsOn('company') },
  { weight: 2, opening: create('company'), ...actsOn('company', 'deal') },
  { weight: 4, opening: create('product'), ...actsOn('product') },
  { weight: 2, opening: create('deal'), ...actsOn('deal') },
  { weight: 3, opening: createDealWithQuote, ...actsOn('quote') },
  { weight: 2, opening: createDealWithQuote, ...actsOn('quote', 'deal') },
  ...contacts.contactOpenings.flatMap((opening) => [
    { weight: 3, opening, acts: [...contactActs, [1, create('deal')] as const], reads, removals },
    { weight: 4, opening, acts: writing, reads: [...reads, readHistory, readHistory], removals },
  ]),
  {
    weight: 7,
    opening: createTemplate,
    acts: [
      [6, changeTemplate],
      [3, listTemplates],
      [1, removeTemplate],
      [2, messages.sendInBulk],
    ],
    reads: [readTemplate, readTemplate, listAllTemplates],
    removals: [removeTemplate],
  },
  {
    weight: 2,
    opening: templates.createTemplates,
    acts: [
      [5, listTemplates],
      [1, createTemplate],
    ],
    reads: [listAllTemplates],
    removals: [removeTemplate],
  },
]

/** More requests would hide the cause of a difference. */
const mostActs = 9

function playRandom(story: Story): void {
  const { plan } = story
  const kind = plan.pickWeighted(kinds.map((one) => [one.weight, one]))
  const { opening, acts, reads, readsInPercent = 50, removals } = kind
  story.play(opening)
  for (let left = plan.number(mostActs); left > 0; left--) {
    const repetition: Act = () => {
      story.repeat(plan.number(3))
    }
    story.play(plan.pickWeighted([...acts, [3, repetition]]), pickTwist(plan))
    if (plan.chance(readsInPercent)) story.play(plan.pick(reads))
  }
  if (plan.chance(50)) for (const act of [plan.pick(removals), plan.pick(reads), plan.pick(reads)]) story.play(act)
}

const repeat =
  (back: number): Act =>
  (story) => {
    story.repeat(back)
  }
/** Sends the first request of the story again. */
const repeatOpening = repeat(Infinity)

const as =
  (twist: Twist, act: Act): Act =>
  (story) => {
    story.play(act, twist)
  }
const byOtherTeam = (act: Act) => as(byCaller('otherTeam'), act)

const times = (count: number, act: Act) => Array<Act>(count).fill(act)
const everywhere = [readConversation, listConversations, readHistory, readContact]

/** Stories in a fixed order, each with the name of its subject. */
const scripts: readonly (readonly Act[])[] = [
  ...(['company', 'product', 'deal', 'quote'] as const).map((kind) => [
    ...[create(kind), ...times(5, change(kind)), remove(kind), view(kind), remove(kind)],
  ]),
  ...(['company', 'product'] as const).map((kind) => [
    ...[create(kind), as(withKey, create(kind)), repeat(0), as(withKey, change(kind)), change(kind), repeat(1)],
    ...[view(kind), as(withKey, remove(kind)), repeat(0), view(kind)],
  ]),
  // A deal and its quotes.
  [
    ...[create('deal'), create('quote'), change('quote'), change('deal', 'name'), create('quote')],
    ...[
      toStatus('published'),
      change('quote'),
      change('quote', 'expirationDate'),
      change('quote', 'acceptOnlinePayment'),
    ],
    ...[toStatus('accepted'), view('deal'), change('quote'), ...times(3, change('deal', 'stage'))],
    ...[...times(2, change('deal', 'amount')), remove('deal'), view('quote')],
  ],
  // Records that refer to each other.
  [
    ...[create('company'), createContact, create('deal'), create('deal'), change('company'), view('deal')],
    ...[contacts.removeContact, view('deal'), remove('company'), view('deal')],
  ],
  // The life of a contact.
  [
    ...[createContact, converse, update(), update(), send('sendLiveMessage'), contacts.upsert, converse, update()],
    readContact,
    ...[update('groupIds'), update('status'), update(), update('groupIds'), update(), contacts.removeContact],
    ...[...everywhere, converse, contacts.removeContact, contacts.upsert],
  ],
  // The former addresses of a contact, its present ones, and addresses that are free again.
  [
    ...[createContact, contacts.findByEmail, update('email'), contacts.upsert, update('phone'), contacts.findByPhone],
    ...[contacts.arriveAgain, readContact],
    (story) => {
      story.plan.pick([contacts.removeContact, contacts.removeByEmail])(story)
    },
    ...[readConversation, contacts.findByEmail, contacts.upsert],
  ],
  // Several contacts with one address.
  [
    ...[createContact, contacts.createNamesake, converse, contacts.createNamesake, contacts.findByEmail],
    ...[contacts.upsert, contacts.removeByEmail, readContact, readConversation, contacts.removeByEmail],
  ],
  // A contact that is created with its conversation.
  [
    ...[contacts.arriveNew, readContact, readConversation, contacts.findByEmail, converse, contacts.removeContact],
    ...[contacts.findByEmail, readConversation],
  ],
  // More messages than a page holds.
  [
    ...[contacts.findNew, sendInto, sendInto, sendText, sendInto, sendInto, sendInto, readHistory],
    ...[listPage({ page: 2, limit: 2 }), listPage({ page: 2, limit: 3 }), messages.listMessages],
    ...[listPage({ page: 1, limit: 10, channel: 'sms' }), messages.listMessages],
  ],
  [
    ...[contacts.findNew, sendInto, sendText, readHistory, update(), sendInto, sendInto, readConversation],
    ...[messages.listMessages, messages.listMessages, listPage({ page: 1, limit: 10, channel: 'sms' })],
    ...[contacts.removeContact, readHistory],
  ],
  // E-mails to several contacts, and answers; each way to name a receiver.
  [createContact, createContact, messages.sendToTwo, messages.reply, messages.reply, readHistory, listConversations],
  [createContact, send('sendMessage'), messages.sendToRecipient, send('sendLiveMessage'), send('sendEmailMessage')],
  [createContact, ...times(3, messages.sendToThree)],
  // More templates than a page holds.
  [
    ...[templates.createTemplates, listAllTemplates, listTemplatePage(1, 3), listTemplatePage(2, 3)],
    ...[...times(4, listTemplates), removeTemplate, listAllTemplates, listTemplates],
  ],
  [
    ...[createTemplate, readTemplate, changeTemplate, readTemplate, listAllTemplates, changeTemplate],
    ...[messages.sendTemplate, readTemplate, removeTemplate, readTemplate, listTemplates, repeatOpening],
  ],
  [createTemplate, messages.sendTemplate, changeTemplate, readTemplate, removeTemplate, repeatOpening],
  // Requests of another team.
  [
    ...[createContact, converse, createTemplate, create('company')],
    ...[readConversation, readContact, readTemplate, listConversations, readHistory, view('company')].map(byOtherTeam),
    ...[readContact, view('company')],
  ],
]

function playScript(story: Story, [opening, ...acts]: readonly Act[]): void {
  if (opening) story.play(opening)
  for (const act of acts) if (!story.plan.chance(5)) story.play(act)
}

/** Four scripts, then a random story, and so on; each script once before any is played again. */
export function* stories(seed: number): Generator<(story: Story) => void, never> {
  for (let round = 0; ; round++) {
    const shuffled = fc.shuffledSubarray([...scripts], { minLength: scripts.length })
    const [order = []] = fc.sample(shuffled, { seed: seed + round, numRuns: 1 })
    for (const [at, script] of order.entries()) {
      yield (story) => {
        playScript(story, script)
      }
      if (at % 4 === 3) yield playRandom
    }
  }
}

/** Stories of which the operator allows no request end the plan. */
const mostStories = 200

/** Plans requests until there are enough. */
export function planSteps(options: PlanOptions, remaining: Iterator<(story: Story) => void, never>): readonly Step[] {
  const plan = new Plan(options)
  for (let told = 0; told < mostStories && !plan.isFull; told++) remaining.next().value(new Story(plan))
  return plan.steps
}
