import { holdModel } from './hold-model.ts'

// The same sequences each time; the long run thinks up others.
holdModel({ sequences: 80, atLeast: 3, seed: 20260301 })
