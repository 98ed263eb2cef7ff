export interface Event {
  readonly event: string
  readonly data: string
}

/** The server-sent events of an answer, which is given up when the reader stops. */
export async function* eventsIn({ body }: Response): AsyncGenerator<Event> {
  const decoder = new TextDecoder()
  let text = ''
  // The types of Node and of the browser disagree on whether a stream can be iterated.
  for await (const part of (body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(part, { stream: true })
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    yield* events.map(read).filter(({ data }) => data !== '')
  }
}

function read(event: string): Event {
  const fields = new Map(event.split('\n').map((line) => line.split(/: ?(.*)/s) as [string, string]))
  return { event: fields.get('event') ?? 'message', data: fields.get('data') ?? '' }
}
