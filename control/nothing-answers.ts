/** Nothing listens at the address of a sandbox, or what does gives no answer. */
export class NothingAnswers extends Error {
  override readonly name = 'NothingAnswers'

  constructor(url: string, cause: unknown) {
    super(`Nothing answers at ${url}; start a sandbox with \`crm-sandbox serve\`, or check the URL`, { cause })
  }
}
