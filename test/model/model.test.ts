import { holdModel } from './hold-model.ts'

// A fixed seed, for the same sequences each time; the long run uses random ones.
holdModel({ sequences: 80, atLeast: 3, seed: 20260301 })
