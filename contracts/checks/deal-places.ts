import type { Tools } from '../../client/tools.ts'
import { Skipped } from '../judge/outcome.ts'

/** A server may refuse pipelines that do not exist, and only the operator can name one that does. */
export async function checkPlaces({ call, some, target }: Tools): Promise<void> {
  const { pipeline, stage } = target.places
  if (pipeline !== undefined && stage !== undefined) return
  const { status } = await call('createDeal', { body: some.deal() })
  if (status !== 400 && status !== 404) return
  throw new Skipped('needs a pipeline of the team, and a stage of it: --pipeline-id, --stage-id')
}
