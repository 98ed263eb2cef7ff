import { describe } from 'vitest'
import { itRefuses } from './refused.ts'

describe('a name or an id that is unknown', () => {
  itRefuses(
    [
      ['team', ({ teams }) => teams.get('acmee'), 'there is no team acmee; did you mean acme?', 404],
      ['team of incoming', ({ world }) => world({ teamId: 'acmee' }), /^there is no team acmee/, 404],
      [
        'kind',
        ({ records }) => records('acme', 'contact' as never),
        /^there is no kind of records contact; did you mean contacts\?$/,
        404,
      ],
      ['template', ({ templates }) => templates.approve('nope'), 'there is no template nope', 404],
      [
        'snapshot',
        ({ snapshots }) => snapshots.restore('sedeed'),
        'there is no snapshot sedeed; did you mean seeded?',
        404,
      ],
      [
        'snapshot to delete',
        ({ snapshots }) => snapshots.delete('sedeed'),
        'there is no snapshot sedeed; did you mean seeded?',
        404,
      ],
      ['message', ({ outbox }) => outbox.report('acme', 'nope', { status: 'read' }), 'there is no message nope', 404],
      ['waiting item', ({ outbox }) => outbox.release('acme', 'nope'), 'there is no waiting item nope', 404],
      ['waiting item to drop', ({ outbox }) => outbox.drop('acme', 'nope'), 'there is no waiting item nope', 404],
      ['conversation', ({ conversation }) => conversation('acme', 'nope'), 'there is no conversation nope', 404],
      ['request', ({ requests }) => requests.get('nope'), 'there is no request nope', 404],
      ['fault', ({ faults }) => faults.get('fault-9'), 'there is no fault fault-9', 404],
      ['gate', ({ gates }) => gates.release('gate-9'), 'there is no gate gate-9', 404],
      [
        'assumption',
        ({ assumptions }) => assumptions.get('keyScop' as never),
        'there is no assumption keyScop; did you mean keyScope?',
        404,
      ],
      ['team without routes', ({ inbox }) => inbox('globx'), /^there is no team globx/, 404],
    ],
    {},
    ({ snapshots }) => snapshots.save('seeded'),
  )
})
