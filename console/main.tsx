import { render } from 'preact'
import { App } from './app.tsx'

const place = document.getElementById('console')
/** What the style sheet relies on; an older browser keeps the sentence of the page. */
const isCurrent = CSS.supports('color', 'light-dark(white, black)')

if (place && isCurrent) {
  place.replaceChildren()
  render(<App />, place)
}
