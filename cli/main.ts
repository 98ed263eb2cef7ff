#!/usr/bin/env node
import module from 'node:module'

// Only modules that are loaded after this call are cached. Node 20 has no such cache.
const { enableCompileCache } = module as { enableCompileCache?: () => void }
enableCompileCache?.()
const { run } = await import('./commands.ts')
run()
