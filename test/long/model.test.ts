import { holdModel } from '../model/hold-model.ts'

holdModel({ sequences: 2000, atLeast: 50 })
