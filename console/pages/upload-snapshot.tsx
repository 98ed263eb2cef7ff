import { useState } from 'preact/hooks'
import { readWorld, worldFileForm, worldFiles } from '../read-world.ts'
import { sandbox, sentenceOf } from '../session.ts'
import { confirm } from '../ui/confirm.tsx'
import { Field } from '../ui/field.tsx'
import { notify } from '../ui/notices.tsx'

interface UploadSnapshotProps {
  /** The names that are taken. */
  readonly names: readonly string[]
  readonly onUploaded: () => void
}

/** Uploads a file with a world. The faults of a world that is refused are listed with their places. */
export function UploadSnapshot({ names, onUploaded }: UploadSnapshotProps) {
  const [name, setName] = useState('')
  const [file, setFile] = useState<File | undefined>(undefined)
  const [refusal, setRefusal] = useState<string | undefined>(undefined)
  const upload = async (chosen: File) => {
    setRefusal(undefined)
    if (names.includes(name) && !(await confirm(`Replace the snapshot ${name}`, 'What it holds now will be lost.')))
      return
    try {
      await sandbox.value.snapshots.upload(name, await readWorld(chosen))
      notify(`The snapshot ${name} is uploaded`)
      onUploaded()
    } catch (error) {
      setRefusal(sentenceOf(error))
    }
  }
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault()
        if (file) void upload(file)
      }}
    >
      <h2>Upload</h2>
      <Field label="File" hint={worldFileForm}>
        <input
          type="file"
          required
          accept={worldFiles}
          onChange={({ currentTarget: { files } }) => {
            const [chosen] = files ?? []
            setFile(chosen)
            setRefusal(undefined)
            if (chosen && name === '') setName(nameOf(chosen.name))
          }}
        />
      </Field>
      <Field label="Name" hint="Small letters, digits, dashes and underscores">
        <input
          required
          autocomplete="off"
          value={name}
          onInput={({ currentTarget: { value } }) => {
            setName(value)
          }}
        />
      </Field>
      <button type="submit">Upload the snapshot</button>
      {refusal === undefined ? null : (
        <p class="error" role="alert">
          {refusal}
        </p>
      )}
    </form>
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
