import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { TenantId } from '../../../../sdk/exchange/exchange.ts';
import type { Files } from '../../files/files.ts';
import type { LineResult } from '../lines/line-result.ts';

interface ResultFilesOptions {
  readonly files: Pick<Files, 'keep' | 'remove'>;
  readonly tenant: TenantId;
  /** Of the batch, by which its files are called. */
  readonly id: string;
  readonly createdBy: string | null;
}

/** Files of the gateway with the results of a batch: one for what has succeeded, one for the rest, each made with its first line. */
interface ResultFiles {
  /** Resolves when there is room for more. */
  write(line: LineResult): Promise<void>;
  /** Their ids, when both are kept. */
  end(): Promise<{ readonly output?: string; readonly error?: string }>;
  /** Removes what is kept of them. */
  abandon(): Promise<void>;
}

export const createResultFiles = ({ files, tenant, id, createdBy }: ResultFilesOptions): ResultFiles => {
  const open = new Map<'output' | 'error', { readonly bytes: PassThrough; readonly kept: Promise<string> }>();

  const start = (name: 'output' | 'error') => {
    const bytes = new PassThrough();
    // Whoever keeps the file says what is wrong.
    bytes.on('error', () => {});
    const about = { purpose: 'batch_output', filename: `${id}_${name}.jsonl` };
    const kept = files
      .keep(tenant, createdBy === null ? about : { ...about, createdBy }, bytes)
      .then((file) => file.id);
    kept.catch(() => {});
    const file = { bytes, kept };
    open.set(name, file);
    return file;
  };

  return {
    async write({ isSuccess, text }) {
      const name = isSuccess ? 'output' : 'error';
      const { bytes, kept } = open.get(name) ?? start(name);
      if (!bytes.write(text)) await Promise.race([once(bytes, 'drain'), kept]);
    },
    async end() {
      for (const { bytes } of open.values()) bytes.end();
      const kept = await Promise.all([...open].map(async ([name, file]) => [name, await file.kept] as const));
      return Object.fromEntries(kept);
    },
    async abandon() {
      for (const { bytes, kept } of open.values()) {
        bytes.destroy(new Error('The results of the batch broke off.'));
        const file = await kept.catch(() => undefined);
        if (file !== undefined) await files.remove(tenant, file);
      }
    },
  };
};
