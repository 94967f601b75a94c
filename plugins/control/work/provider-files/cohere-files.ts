import type { JsonObject } from '../../../../schema/json/json.ts';
import { findNumber, findText, toObjects } from '../../../../schema/json/loose.ts';
import { toSeconds } from '../../kernel/requests/to-seconds.ts';
import { isoSeconds } from '../accounts/answers/read-values.ts';
import { isReady, readDataset, removeDataset, uploadDataset } from '../accounts/datasets/cohere-datasets.ts';
import { withOwnError } from '../accounts/upload-file.ts';
import { batchDatasets } from '../batches/providers/cohere.ts';
import { modelLines } from './model-lines.ts';
import { CountedBytes, type ProviderFile, type ProviderFileStore } from './provider-file-store.ts';

const purpose = 'batch';

/** Texts for embed jobs: https://docs.cohere.com/docs/embed-jobs-api */
const textsType = 'embed-input';

/** Cohere distinguishes formats by the ends of names. */
const withFormat = (filename: string): string => (/\.(?:jsonl|csv)$/i.test(filename) ? filename : `${filename}.jsonl`);

const toStatus = (dataset: JsonObject): NonNullable<ProviderFile['status']> => {
  if (isReady(dataset)) return 'processed';
  return dataset.validation_status === 'failed' ? 'error' : 'uploaded';
};

/** Files at Cohere, which are datasets: https://docs.cohere.com/docs/datasets */
export const cohereFiles: ProviderFileStore = {
  purposes: [purpose],
  lacks: { content: 'Keep the file where it came from, or at the gateway with x-gw-provider: gw.' },
  findId: (text) => (/^[\w.-]{1,255}$/.test(text) ? text : undefined),
  async upload(file, place) {
    const { account, now } = place;
    const { filename, length } = file;
    const written = await modelLines(file, place);
    const counted = new CountedBytes(written?.bytes ?? file.bytes);
    const type = written === undefined ? textsType : (batchDatasets[written.endpoint] ?? textsType);
    const name = filename.replace(/[^\w.-]/g, '_');
    const id = await withOwnError(
      () => counted,
      (read) =>
        uploadDataset(account, {
          ...{ name, type, filename: withFormat(filename), read },
          bytes: written === undefined ? length : undefined,
        }),
    );
    return { id, bytes: counted.count, createdAt: toSeconds(now()), filename: name, purpose, status: 'uploaded' };
  },
  async find(id, account) {
    const dataset = await readDataset(account, id);
    const sizes = toObjects(dataset.dataset_parts).map((part) => findNumber(part.size_bytes) ?? 0);
    return {
      ...{ id, purpose, bytes: sizes.reduce((sum, size) => sum + size, 0), status: toStatus(dataset) },
      ...{ createdAt: isoSeconds(dataset.created_at) ?? 0, filename: findText(dataset.name) ?? id },
    };
  },
  remove: (id, account) => removeDataset(account, id),
};
