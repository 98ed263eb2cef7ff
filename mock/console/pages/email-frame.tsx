/** In characters. */
const longest = 100_000

/** No script, no form, no link and nothing remote works in it. Its frame inherits the policy of the console besides. */
const head = `<!doctype html><meta charset="utf-8"><meta http-equiv="content-security-policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'"><base target="_blank"><body dir="auto" style="margin: 8px; overflow-wrap: anywhere; background: #fff; color: #1b1e25; font: 15px/1.5 system-ui, sans-serif">`

/** The HTML of an e-mail, in a frame of its own. */
export function EmailFrame({ html, subject }: { readonly html: string; readonly subject: string | undefined }) {
  return (
    <iframe
      class="email"
      title={`E-mail: ${(subject ?? 'without a subject').slice(0, 100)}`}
      sandbox=""
      referrerpolicy="no-referrer"
      style={{ height: `${guessHeight(html)}px` }}
      srcdoc={head + html.slice(0, longest)}
    />
  )
}

/** A frame without scripts cannot tell its height. */
function guessHeight(html: string): number {
  const lines =
    textOfHtml(html, 'email').length / 50 + (html.match(/<(?:p|br|div|li|tr|h\d|img)\b/gi)?.length ?? 0) * 1.5
  return Math.round(Math.min(400, 40 + lines * 24))
}

export const isHtml = (content: string) => /<[a-z!/][^>]*>/i.test(content)

/** The words of an e-mail in one line; a text of another channel as it is. */
export function textOfHtml(content: string, channel: string): string {
  if (channel !== 'email' || !isHtml(content)) return content
  const words = content.replace(/<(style|script|head|title)\b[\s\S]*?(<\/\1>|$)/gi, ' ').replace(/<[^>]*(>|$)/g, ' ')
  return new DOMParser().parseFromString(words, 'text/html').body.textContent.replace(/\s+/g, ' ').trim()
}
