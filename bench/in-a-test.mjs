// `node in-a-test.mjs sandbox|bare`: prints the milliseconds until a test file could make its first call.
const [which] = process.argv.slice(2)
const before = performance.now()
if (which === 'sandbox') {
  const { createSandbox } = await import('../dist/index.js')
  await createSandbox()
} else {
  const { default: Fastify } = await import('fastify')
  await Fastify().ready()
}
console.log(performance.now() - before)
process.exit()
