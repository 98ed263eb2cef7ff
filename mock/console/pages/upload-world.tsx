import { useState } from 'preact/hooks'
import type { AnyWorld } from '../../testing/control-client.ts'
import { readWorld, sizeFaultOf, worldFileForm, worldFiles } from '../read-world.ts'
import { type Action, ActionButton } from '../ui/actions.tsx'
import { Field, Form } from '../ui/form.tsx'

interface UploadWorldProps {
  readonly title: string
  readonly label: string
  /** What a name may be, for a world that gets one. */
  readonly nameHint?: string
  readonly actions: (
    file: string,
    name: string,
  ) => readonly (Omit<Action, 'run'> & { run: (world: AnyWorld) => unknown })[]
}

/** Uploads a file with a world. Lists what is wrong with a world that is refused. */
export function UploadWorld({ title, label, nameHint, actions }: UploadWorldProps) {
  const [file, setFile] = useState<File | undefined>(undefined)
  const [name, setName] = useState('')
  const [faults, setFaults] = useState<readonly string[]>([])
  const choose = (chosen: File | undefined) => {
    const fault = chosen && sizeFaultOf(chosen)
    setFaults(fault === undefined ? [] : [fault])
    setFile(fault === undefined ? chosen : undefined)
    if (chosen && name === '') setName(nameOf(chosen.name))
  }
  const send = async (run: (world: AnyWorld) => unknown) => {
    setFaults([])
    if (file) await run(await readWorld(file))
  }
  return (
    <Form class="card" onSubmit={(_, form) => form.querySelector('button')?.click()}>
      <h2>{title}</h2>
      <Field label={label} hint={worldFileForm}>
        <input type="file" accept={worldFiles} onChange={({ currentTarget: { files } }) => choose(files?.[0])} />
      </Field>
      {nameHint && (
        <Field label="Name" hint={nameHint}>
          <input autocomplete="off" value={name} onInput={({ currentTarget: { value } }) => setName(value)} />
        </Field>
      )}
      {faults.length > 0 && (
        <div class="error" role="alert">
          <p>The world was refused, and nothing changed:</p>
          <ul>
            {faults.map((fault) => (
              <li key={fault}>{fault}</li>
            ))}
          </ul>
        </div>
      )}
      <div class="actions">
        {actions(file?.name ?? '', name).map(({ run, ...action }) => (
          <ActionButton
            key={action.title}
            {...action}
            run={() => send(run)}
            disabled={!file || (nameHint !== undefined && name === '')}
            onRefused={(sentence) => setFaults(sentence.split('\n'))}
          />
        ))}
      </div>
    </Form>
  )
}

/** The name of a file as a name of a snapshot. */
const nameOf = (file: string) =>
  file
    .replace(/\.(?:json|ya?ml)$/i, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '-')
    .replace(/^[-_]+/, '')
    .slice(0, 64)
