import type { TenantId } from '../../../sdk/exchange.ts';
import type { Files } from '../../files/files.ts';
import type { BatchAdapter, BatchContext, RemoteBatch } from './batch-adapter.ts';
import type { CollectedFiles } from './provider-batch-store.ts';

export interface Collecting {
  readonly tenant: TenantId;
  readonly adapter: BatchAdapter;
  readonly context: BatchContext;
  readonly files: Pick<Files, 'keep' | 'remove'>;
  readonly createdBy: string | undefined;
}

/** The results of one kind, which are read from the provider as they are kept. */
async function* linesOf(
  batch: RemoteBatch,
  { adapter, context }: Collecting,
  isSuccess: boolean,
): AsyncGenerator<Buffer> {
  for await (const line of adapter.results(batch, context))
    if (line.isSuccess === isSuccess) yield Buffer.from(line.text);
}

/** Keeps the results of a batch that has ended as files of the gateway, one for what has succeeded and one for the rest. */
export const collectResults = async (batch: RemoteBatch, collecting: Collecting): Promise<CollectedFiles> => {
  const { tenant, files, createdBy } = collecting;
  const keep = async (isSuccess: boolean): Promise<string> => {
    const filename = `${batch.id}_${isSuccess ? 'output' : 'error'}.jsonl`;
    const about = { purpose: 'batch_output', filename, ...(createdBy === undefined ? {} : { createdBy }) };
    return (await files.keep(tenant, about, linesOf(batch, collecting, isSuccess))).id;
  };
  const { completed, failed } = batch.counts;
  const output = completed > 0 ? await keep(true) : undefined;
  try {
    const error = failed > 0 ? await keep(false) : undefined;
    return { ...(output === undefined ? {} : { output }), ...(error === undefined ? {} : { error }) };
  } catch (problem) {
    if (output !== undefined) await files.remove(tenant, output);
    throw problem;
  }
};
