import { oneAtATime } from '../../lib/once.ts'
import type { SharedState, Versioned } from '../store/port.ts'
import { Changes } from './changes.ts'

/** A value that changes for all processes on the store. Without other processes a change is made at once. */
export interface Shared<Value> {
  readonly now: Value
  readonly change: <Result>(work: (value: Value) => Result) => Result | Promise<Result>
}

/** The settings of the control plane. On a shared store a change is stored before a process applies it. */
export class SharedSettings<Settings extends object> implements Shared<Settings> {
  /** Announces each change. */
  readonly changes = new Changes()
  readonly #shared: SharedState | undefined
  readonly #initial: () => Settings
  readonly #apply: (settings: Settings) => void
  readonly #oneByOne = oneAtATime()
  #now: Settings
  #version: number | undefined
  #observing: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined

  constructor(shared: SharedState | undefined, initial: () => Settings, apply: (settings: Settings) => void) {
    this.#shared = shared
    this.#initial = initial
    this.#apply = apply
    this.#now = initial()
  }

  get now(): Settings {
    return this.#now
  }

  /** Grows with the changes by all processes. */
  get version(): number | undefined {
    return this.#version
  }

  change<Result>(work: (settings: Settings) => Result): Result | Promise<Result> {
    if (this.#shared) return this.#oneByOne(() => this.#write(work))
    const result = work(this.#now)
    this.#announce()
    return result
  }

  /** One field of the settings. */
  part<Name extends keyof Settings>(name: Name): Shared<Settings[Name]> {
    const read = () => this.#now[name]
    return {
      get now() {
        return read()
      },
      change: (work) => this.change((settings) => work(settings[name])),
    }
  }

  /**
   * Applies what other processes have changed. Calls share an observation that begins after them. They fail with the one
   * before, so that none waits twice for a database that does not answer.
   */
  refresh(): Promise<void> {
    return (this.#next ??= this.#refreshAfter(this.#observing))
  }

  async #refreshAfter(before: Promise<void>): Promise<void> {
    try {
      await before
      this.#observing = this.#observe().finally(() => {
        this.#observing = Promise.resolve()
      })
    } finally {
      this.#next = undefined
    }
    return this.#observing
  }

  async #observe(): Promise<void> {
    const known = this.#version
    const observed = await this.#shared?.observe(known)
    if (known !== this.#version) return this.#observe() // changed here meanwhile
    if (observed) this.#become(observed)
  }

  async #write<Result>(work: (settings: Settings) => Result): Promise<Result> {
    let result: Result | undefined
    const changed = await this.#shared?.change((stored) => {
      const settings = this.#read(stored)
      result = work(settings)
      return settings
    })
    if (changed) this.#become(changed)
    return result as Result
  }

  #become({ version, settings }: Versioned): void {
    this.#version = version
    this.#now = this.#read(settings)
    this.#announce()
  }

  #announce(): void {
    this.#apply(this.#now)
    this.changes.notifyAll()
  }

  /** Another version of the package may have stored other fields. */
  #read(settings: object): Settings {
    return { ...this.#initial(), ...settings }
  }
}
