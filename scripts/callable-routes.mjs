const methods = ['get', 'post', 'put', 'delete']

/** The operations by id, each with its method and path, and a `?` if it takes a query: what a client needs at run time. */
export function callableRoutesOf({ paths }) {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    methods.filter((method) => item[method]).map((method) => ({ ...item[method], route: routeOf(item, method, path) })),
  )
  const inTypes = operations.map(
    ({ operationId, summary, route }) => `  /** ${summary} */\n  ${operationId}: ${route}\n`,
  )
  const atRunTime = operations.map(({ operationId, route }) => `  ${operationId}: ${route},\n`)
  return `export interface Routes {\n${inTypes.join('')}}\n\nexport const routes: Routes = {\n${atRunTime.join('')}}\n`
}

function routeOf(item, method, path) {
  const { parameters = [] } = item[method]
  const takesQuery = parameters.some((parameter) => parameter.in === 'query')
  return `'${method.toUpperCase()} ${path}${takesQuery ? '?' : ''}'`
}
