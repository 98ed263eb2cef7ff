const form = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** A moment in the time zone of the reader; its title is the moment as it is stored. */
export function Time({ at }: { readonly at: string | undefined }) {
  const date = new Date(at ?? '')
  if (at === undefined || Number.isNaN(date.getTime())) return <>{at ?? ''}</>
  return (
    <time dateTime={at} title={at}>
      {form.format(date)}
    </time>
  )
}
