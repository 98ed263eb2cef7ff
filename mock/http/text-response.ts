/** The members of a response without its body. */
type Head = Pick<Response, 'headers' | 'ok' | 'redirected' | 'status' | 'statusText' | 'type' | 'url'>
const HeadOfResponse = Response as unknown as new (body: null, init: ResponseInit) => Head

/**
 * A response with a known text. It creates a stream only when the caller reads more than the text or its JSON,
 * since Node takes as long to create and read one as the sandbox takes to answer.
 */
class OfText extends HeadOfResponse implements Omit<Response, keyof Head> {
  readonly #text: string
  #isRead = false
  #streamed: Response | undefined

  constructor(text: string, init: ResponseInit) {
    super(null, init)
    this.#text = text
  }

  async text(): Promise<string> {
    if (this.#isRead || this.#streamed) return this.#asStream().text()
    this.#isRead = true
    return this.#text
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text())
  }

  get bodyUsed() {
    return this.#streamed?.bodyUsed ?? this.#isRead
  }

  get body() {
    return this.#asStream().body
  }

  arrayBuffer() {
    return this.#asStream().arrayBuffer()
  }

  blob() {
    return this.#asStream().blob()
  }

  /** The types of Node 20 do not name it. */
  bytes() {
    return (this.#asStream() as Response & { bytes(): Promise<Uint8Array> }).bytes()
  }

  /** Node 26 has it. */
  textStream() {
    return (this.#asStream() as Response & { textStream(): ReadableStream<string> }).textStream()
  }

  formData() {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- as long as the Response of fetch has it
    return this.#asStream().formData()
  }

  clone() {
    return this.#asStream().clone()
  }

  #asStream(): Response {
    if (this.#streamed) return this.#streamed
    this.#streamed = new Response(this.#text, { status: this.status, headers: this.headers })
    if (this.#isRead) void this.#streamed.text()
    return this.#streamed
  }
}

/** Typed as the Response that it replaces. */
export const TextResponse = OfText as unknown as new (text: string, init: ResponseInit) => Response
