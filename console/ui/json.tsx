/** In characters: a browser needs seconds to lay out a longer text. */
const longest = 100_000

/** A value as JSON. */
export function Json({ value }: { readonly value: unknown }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return (
    <pre class="json" tabIndex={0}>
      {text.slice(0, longest)}
      {text.length > longest ? ` … (${(text.length - longest).toLocaleString()} more characters)` : ''}
    </pre>
  )
}
