import { newPageApp, sendPageFile } from './page-app.ts'
import { type AppHandler, handlerOf } from './pass-to.ts'

/** Returns the request handler of an app that serves the console. Its pages have one file: the address names what it shows. */
export async function newConsoleHandler(): Promise<AppHandler> {
  // The frames of e-mails inherit the policy, and e-mails have styles.
  const app = newPageApp("style-src 'self' 'unsafe-inline'", "frame-src 'self'")
  for (const path of ['/', '/console', '/console/*'])
    app.get(path, (request, reply) => sendPageFile('console/index.html', request, reply))
  app.get<{ Params: { '*': string } }>('/console/assets/*', (request, reply) =>
    sendPageFile(`console/assets/${request.params['*']}`, request, reply),
  )
  return handlerOf(app)
}
