// Has Ajv write down, as code that does without Ajv, the validators that the sandbox needs while it serves.
import standalone from 'ajv/dist/standalone/index.js'
import { controlDocument } from '../dist/control/document.js'
import { routes } from '../dist/control/generated/routes.js'
import { recordShapes } from '../dist/fixtures/record-shapes.js'
import { teamShape, worldShape } from '../dist/fixtures/world-shapes.js'
import { bodyValidator, queryValidator } from '../dist/mock/control/check.js'
import { document } from '../dist/spec/document.js'
import { isEmailAddress, isPhoneNumber } from '../dist/spec/forms.js'
import { operations } from '../dist/spec/operations.js'
import { validatorsOf } from '../dist/spec/validators.js'

/** By the beginning of their keys, such as `json_open`: modules that export a validator by its key. */
export function compileValidators() {
  for (const { query, body, contentTypes } of Object.values(operations)) {
    for (const shape of [query, ...contentTypes.map(body)]) shape.check({})
  }
  for (const shape of [worldShape, teamShape, ...Object.values(recordShapes)]) {
    shape.check({})
    shape.closed({})
  }
  isEmailAddress('')
  isPhoneNumber('')
  for (const id of Object.keys(routes)) {
    bodyValidator(id)
    queryValidator(id)
  }

  return new Map(
    [document, controlDocument()]
      .flatMap((one) => [...validatorsOf(one).compilers()])
      .map(({ ajv, keys }) => {
        const [first] = keys
        const beginning = first.slice(0, first.lastIndexOf('_'))
        const code = standalone.default(ajv, Object.fromEntries([...keys].map((key) => [key, key])))
        return [beginning, withoutSchemaPaths(code)]
      }),
  )
}

/** Nobody reads where in a schema a fault was found, which would be a tenth of the code. */
const withoutSchemaPaths = (code) => code.replaceAll(/schemaPath:"[^"\\]*",/g, '')
