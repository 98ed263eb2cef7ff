import type { Precision, TimeForm } from '../../spec/voice/voice.ts'

/** Writes an ISO time of the sandbox, such as 2026-03-01T09:30:00.000Z, as a server writes it. */
export function timeWriter({ precision, offset }: TimeForm): (time: string) => string {
  const minutes = minutesOf(offset)
  return (time) => {
    const at = Date.parse(time)
    return Number.isNaN(at) ? time : cut[precision](new Date(at + minutes * 60_000).toISOString().slice(0, -1)) + offset
  }
}

const cut: Readonly<Record<Precision, (local: string) => string>> = {
  minutes: (local) => local.slice(0, -7),
  seconds: (local) => local.slice(0, -4),
  milliseconds: (local) => local,
  microseconds: (local) => `${local}000`,
  nanoseconds: (local) => `${local}000000`,
}

function minutesOf(offset: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? []
  return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}
