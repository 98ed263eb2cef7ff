import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso'
import { useEffect, useRef, useState } from 'preact/hooks'
import { hrefOf } from './address.ts'
import { connection, readClock, useChanges, useData, useTime } from './data.ts'
import { pages } from './pages/index.ts'
import { isTyping } from './ui/form.tsx'
import { labelOf, Time } from './ui/values.tsx'

interface ShellProps {
  readonly team: string
  readonly page: string
  readonly children: ComponentChildren
}

const groups = ['CRM', 'Traffic', 'Sandbox'] as const

/** The frame of all pages: the team, the navigation, and whether changes arrive. */
export function Shell({ team, page, children }: ShellProps) {
  const teams = useData((client) => client.teams.list(), [], 'settings')
  const isKnown = teams.value?.some(({ teamId }) => teamId === team) ?? false
  const [isOpen, setOpen] = useState(false)
  useChanges(isKnown ? team : undefined)
  const title = pages.find(({ path }) => path === page)?.title ?? 'Console'
  useEffect(() => {
    document.title = `${title} · crm-sandbox`
    setOpen(false)
  }, [title, page])
  const { path } = useLocation()
  const lastPath = useRef(path)
  useEffect(() => {
    // The link that was followed may be gone, and the focus with it.
    if (path !== lastPath.current && document.activeElement === document.body)
      document.getElementById('main')?.focus({ preventScroll: true })
    lastPath.current = path
  }, [path])
  return (
    <div class="shell">
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <header class="top">
        <button class="menu" type="button" aria-expanded={isOpen} aria-controls="nav" onClick={() => setOpen(!isOpen)}>
          Menu
        </button>
        <a class="brand" href={hrefOf(team)}>
          crm-sandbox
        </a>
        <TeamSwitcher team={team} page={page} teams={teams.value ?? []} />
        <Connection />
        <Help />
      </header>
      <nav id="nav" class={isOpen ? 'nav open' : 'nav'} aria-label="Pages">
        {groups.map((group) => (
          <section key={group}>
            <h2>{group}</h2>
            <ul>
              {pages
                .filter((one) => one.group === group)
                .map(({ path, title }) => (
                  <li key={path}>
                    <a href={hrefOf(team, path)} aria-current={path === page ? 'page' : undefined}>
                      {title}
                    </a>
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </nav>
      <main id="main" tabIndex={-1}>
        {teams.error !== undefined && !teams.value ? <p class="error">{teams.error}</p> : null}
        {teams.value && !isKnown && page !== 'teams' && page !== 'worlds' ? (
          <p class="empty">
            {teams.value.length === 0 ? 'This sandbox has no team.' : `There is no team ${team}, or it was deleted.`}{' '}
            <a href={hrefOf(team, 'teams')}>Create one, or choose another.</a>
          </p>
        ) : teams.value ? (
          <>
            {page !== 'clock' && <MovedClock team={team} />}
            {children}
          </>
        ) : null}
      </main>
    </div>
  )
}

/** In milliseconds: what the clocks of two machines may differ. */
const tolerance = 60_000

/** Says what time it is in the sandbox, if its clock is frozen or does not tell the time of the reader. */
function MovedClock({ team }: { readonly team: string }) {
  const { value } = useData(readClock, [], 'settings')
  return value && <ShownClock team={team} read={value} />
}

function ShownClock({ team, read }: { readonly team: string; readonly read: Parameters<typeof useTime>[0] }) {
  const time = useTime(read)
  if (!read.frozen && Math.abs(time.getTime() - Date.now()) < tolerance) return null
  return (
    <p class="moved">
      <a href={hrefOf(team, 'clock')}>The clock {read.frozen ? 'is frozen at' : 'says'}</a>{' '}
      <Time at={time.toISOString()} />
    </p>
  )
}

interface TeamSwitcherProps {
  readonly team: string
  readonly page: string
  readonly teams: readonly { teamId: string; name: string }[]
}

function TeamSwitcher({ team, page, teams }: TeamSwitcherProps) {
  const { route } = useLocation()
  return (
    <label class="team">
      <span>Team</span>
      <select value={team} onChange={({ currentTarget }) => route(hrefOf(currentTarget.value, page))}>
        {teams.some(({ teamId }) => teamId === team) ? null : <option value={team}>{team}</option>}
        {teams.map((one) => (
          <option key={one.teamId} value={one.teamId}>
            {labelOf(one, teams)}
          </option>
        ))}
      </select>
    </label>
  )
}

const words = { connecting: 'Connecting', live: 'Live', lost: 'Connection lost; trying again' }

function Connection() {
  return (
    <p class={`connection ${connection.value}`} role="status">
      {words[connection.value]}
    </p>
  )
}

const keys = [
  ['/', 'Search'],
  ['↓ ↑', 'Next and previous row of a list'],
  ['Enter', 'Open the row'],
  ['Ctrl Enter', 'Send the message that you write'],
  ['Esc', 'Close a dialog'],
  ['?', 'This help'],
] as const

/** The keys of the console; `?` opens them. */
function Help() {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key === '?' && !isTyping(event.target)) dialog.current?.showModal()
    }
    document.addEventListener('keydown', open)
    return () => document.removeEventListener('keydown', open)
  }, [])
  return (
    <>
      <button type="button" class="quiet" aria-label="Help" onClick={() => dialog.current?.showModal()}>
        ?
      </button>
      <dialog ref={dialog} aria-labelledby="help-title">
        <h2 id="help-title">Keys</h2>
        <dl class="fields">
          {keys.map(([key, words]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{words}</dd>
            </div>
          ))}
        </dl>
        <p>
          <a href="/docs">The API</a>, <a href="/docs/control">the control plane</a>,{' '}
          <a href="/docs/assumptions">the assumptions</a>
        </p>
        <form method="dialog" class="actions">
          <button>Close</button>
        </form>
      </dialog>
    </>
  )
}
