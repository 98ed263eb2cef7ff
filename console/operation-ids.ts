import { routes } from '../spec/generated/routes.ts'

/** The operations of the API, in the order of the document. */
export const operationIds = Object.keys(routes)
