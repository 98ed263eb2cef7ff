import { useState } from 'preact/hooks'
import { readWorld, worldFileForm, worldFiles } from '../read-world.ts'
import { sandbox, sentenceOf } from '../session.ts'
import { Field } from '../ui/field.tsx'
import { notify } from '../ui/notices.tsx'

interface UploadWorldProps {
  /** Asks once before an action that replaces everything. */
  readonly confirmLoss: (action: string) => Promise<boolean>
  readonly open: (teamId: string | undefined) => void
}

/** Adds the teams of a world in a file, or loads it in place of everything. Lists what is wrong with it. */
export function UploadWorld({ confirmLoss, open }: UploadWorldProps) {
  const client = sandbox.value
  const [file, setFile] = useState<File | undefined>(undefined)
  const [faults, setFaults] = useState<readonly string[]>([])
  const upload = async (chosen: File, send: typeof client.addWorld) => {
    try {
      const [first] = await send(await readWorld(chosen))
      setFaults([])
      notify(`Loaded ${chosen.name}`)
      open(first?.teamId)
    } catch (error) {
      setFaults(sentenceOf(error).split('\n'))
    }
  }
  const replace = async (chosen: File) => {
    if (await confirmLoss(`Replace everything with ${chosen.name}`)) await upload(chosen, client.loadWorld)
  }
  return (
    <section class="card">
      <h2>Upload a world</h2>
      <Field label="World file" hint={worldFileForm}>
        <input
          type="file"
          accept={worldFiles}
          onChange={({ currentTarget: { files } }) => {
            setFaults([])
            setFile(files?.[0])
          }}
        />
      </Field>
      {faults.length === 0 ? null : (
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
        <button type="button" disabled={!file} onClick={() => file && void upload(file, client.addWorld)}>
          Add its teams
        </button>
        <button type="button" class="danger" disabled={!file} onClick={() => file && void replace(file)}>
          Replace everything
        </button>
      </div>
    </section>
  )
}
