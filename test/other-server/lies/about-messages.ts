import {
  type Liar,
  asciiOnly,
  asked,
  escapeHtml,
  inTexts,
  misread,
  movingPages,
  pagination,
  rewrite,
  sends,
  withQuery,
} from './lying.ts'
import type { Fields } from '../team.ts'

/** Lies about messages and histories. */
export const aboutMessages: Readonly<Record<string, Liar>> = {
  'messages lose what is not ASCII': {
    breaks: 'message.keepsItsContent',
    lie: misread(Object.values(sends), inTexts(['content'], asciiOnly)),
  },
  'quotes in messages become entities': {
    breaks: 'message.keepsItsContent',
    lie: misread(Object.values(sends), inTexts(['content'], escapeHtml)),
  },
  'messages are cut at 160 letters': {
    breaks: 'message.keepsItsContent',
    lie: misread(
      Object.values(sends),
      inTexts(['content'], (text) => text.slice(0, 160)),
    ),
  },
  'the third recipient is lost': {
    breaks: 'message.bulkReachesEveryone',
    lie: misread(
      ['POST /api/messages/sendBulkNewMessages'],
      inTexts(['to'], (to) =>
        to
          .split(',')
          .filter((_, index) => index !== 2)
          .join(','),
      ),
    ),
  },
  'a history keeps ten messages': {
    breaks: 'message.historyPagesAddUp',
    lie: withQuery('GET /api/messages/:id', (query) => {
      const [page, limit] = [Number(query.get('page')), Number(query.get('limit'))]
      if (page * limit > 10) query.set('limit', String(Math.max(1, 10 - (page - 1) * limit)))
      if ((page - 1) * limit >= 10) query.set('page', '999')
    }),
  },
  'a limit above ten is ignored': {
    breaks: 'message.historyLimitHolds',
    lie: withQuery('GET /api/messages/:id', (query) => {
      if (Number(query.get('limit')) >= 10) query.set('limit', '100')
    }),
  },
  'a history counts one too many': {
    breaks: 'message.historyTotalIsACount',
    lie: rewrite('GET /api/messages/:id', (reply) =>
      pagination(reply, ({ total, ...counts }) => ({ ...counts, total: Number(total) + 1 })),
    ),
  },
  'a filter looks at the first page only': {
    breaks: 'message.historyFiltersByChannel',
    lie: () => ({
      'GET /api/messages/:id': (original) => (given) => {
        const channel = given.query.get('channel')
        if (channel === null) return original(given)
        const first = asked(given, (query) => {
          query.delete('channel')
          query.set('limit', '10')
        })
        const reply = original({ ...given, query: first })
        const days = (reply.data as { date: string; messages: Fields[] }[]).map(({ date, messages }) => ({
          date,
          messages: messages.filter((one) => one.channel === channel),
        }))
        return { ...reply, data: days }
      },
    }),
  },

  'a history is in another order from its second page on': {
    breaks: 'message.historyPagesAddUp',
    lie: () => ({
      'GET /api/messages/:id': (original) => (given) => {
        const isLater = Number(given.query.get('page')) > 1
        return original(isLater ? { ...given, knobs: { ...given.knobs, historyOrder: 'newestFirst' } } : given)
      },
    }),
  },
  'a page of a history begins with the last one of the page before': {
    breaks: 'message.historyPagesAddUp',
    lie: movingPages('GET /api/messages/:id', -1),
  },
  'a page of a history leaves its first one out': {
    breaks: 'message.historyPagesAddUp',
    lie: movingPages('GET /api/messages/:id', 1),
  },
  'messages are cut at 255 letters': {
    breaks: 'message.keepsItsContent',
    lie: misread(
      Object.values(sends),
      inTexts(['content'], (text) => text.slice(0, 255)),
    ),
  },
  'messages are cut at 1000 letters': {
    breaks: 'message.keepsItsContent',
    lie: misread(
      Object.values(sends),
      inTexts(['content'], (text) => text.slice(0, 1000)),
    ),
  },
}
