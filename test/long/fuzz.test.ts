import { randomInt } from 'node:crypto'
import { holdDocument } from '../fuzz/hold-document.ts'

holdDocument({ requests: 100_000, atLeast: 50, profiles: 100, requestsEach: 1000, seed: randomInt(2 ** 31) })
