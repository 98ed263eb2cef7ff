interface PagerProps {
  readonly page: number
  readonly limit: number
  readonly total: number
  readonly onPage: (page: number) => void
}

export function Pager({ page, limit, total, onPage }: PagerProps) {
  const last = Math.max(1, Math.ceil(total / limit))
  if (total === 0) return null
  const first = (page - 1) * limit + 1
  return (
    <nav class="pager" aria-label="Pages of the list">
      <p role="status">
        {first.toLocaleString()} to {Math.min(page * limit, total).toLocaleString()} of {total.toLocaleString()}
      </p>
      <button
        type="button"
        disabled={page <= 1}
        onClick={() => {
          onPage(page - 1)
        }}
      >
        Previous
      </button>
      <button
        type="button"
        disabled={page >= last}
        onClick={() => {
          onPage(page + 1)
        }}
      >
        Next
      </button>
    </nav>
  )
}
