// Tools match the examples of a body, its parameters and its response by name, and some tools send every example. So each
// operation gets its own copy of the parameters and successes, with examples for exactly its own cases.

/** Gives each case of an operation one name, in all of its examples. */
export function withNamedCases({ paths, components, ...document }) {
  const { parameters: _shared, responses, ...others } = components
  const named = mapValues(paths, (item) => itemWithCases(item, components))
  const refusals = Object.fromEntries(Object.entries(responses).filter(([name]) => isUsed(named, name)))
  return { ...document, paths: named, components: { ...others, responses: refusals } }
}

export const methods = ['get', 'post', 'put', 'delete']

function itemWithCases({ parameters = [], ...item }, components) {
  return mapValues(item, (operation, key) =>
    methods.includes(key) ? operationWithCases(operation, parameters, components) : operation,
  )
}

function operationWithCases(operation, ofThePath, components) {
  const { operationId, requestBody, responses } = operation
  const parameters = [...ofThePath, ...(operation.parameters ?? [])].map((parameter) => resolve(components, parameter))
  const cases = casesOf(operation)
  const answers = mapValues(responses, (answer, status) =>
    status < 400 ? answerOf(cases, resolve(components, answer), operationId) : answer,
  )
  checkAnswered(operationId, cases, answers)
  return {
    ...operation,
    ...(parameters.length > 0 && {
      parameters: parameters.map((parameter) => parameterOf(cases, parameter, operationId)),
    }),
    ...(requestBody && { requestBody: bodyOf(cases, requestBody, operationId) }),
    responses: answers,
  }
}

const json = 'application/json'

/** The names of the cases; the only case of an operation gets the name of the operation. */
function casesOf({ operationId, requestBody }) {
  return Object.keys(requestBody?.content[json].examples ?? { [operationId]: undefined })
}

function bodyOf(cases, body, operationId) {
  return { ...body, content: withExamples(cases, body.content, `the body of ${operationId}`) }
}

/** A response shows the cases that it names, or all cases if it names none. */
function answerOf(cases, answer, operationId) {
  const shown = Object.keys(answer.content[json].examples ?? {})
  const own = shown.length > 0 ? cases.filter((name) => shown.includes(name)) : cases
  return { ...answer, content: withExamples(own, answer.content, `an answer of ${operationId}`) }
}

function withExamples(cases, content, place) {
  return { ...content, [json]: withExample(cases, content[json], place) }
}

function parameterOf(cases, parameter, operationId) {
  if (parameter.name !== 'Idempotency-Key') return withExample(cases, parameter, `${parameter.name} of ${operationId}`)
  const keyOf = (name) => `${[...new Set([operationId, name])].join('-')}-1`
  return { ...parameter, examples: Object.fromEntries(cases.map((name) => [name, { value: keyOf(name) }])) }
}

function withExample(cases, { example, examples, ...others }, place) {
  const valueOf = (name) => (examples === undefined ? example : examples[name]?.value)
  const missing = cases.filter((name) => valueOf(name) === undefined)
  if (missing.length > 0) throw new Error(`${place} has no example of the case ${missing.join(', ')}`)
  return { ...others, examples: Object.fromEntries(cases.map((name) => [name, { value: valueOf(name) }])) }
}

function checkAnswered(operationId, cases, answers) {
  const shown = Object.values(answers).flatMap(({ content }) => Object.keys(content?.[json].examples ?? {}))
  const odd = cases.find((name) => shown.filter((other) => other === name).length !== 1)
  if (odd !== undefined) throw new Error(`${operationId} must answer the case ${odd} with one success`)
}

function isUsed(paths, name) {
  return JSON.stringify(paths).includes(`"#/components/responses/${name}"`)
}

function resolve(components, thing) {
  const [, group, name] = /^#\/components\/(\w+)\/(\w+)$/.exec(thing.$ref ?? '') ?? []
  return name === undefined ? thing : components[group][name]
}

function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]))
}
