import { randomUUID } from 'node:crypto';
import {
  type CloudStorage,
  objectAt,
  type StoredObject,
  toAddress,
  toBucket,
} from '../../accounts/storage/cloud-storage.ts';
import type { BatchContext, BatchInput } from './batch-adapter.ts';

interface WrittenInput {
  readonly input: StoredObject;
  /** Where it is, and where results go. */
  readonly folder: StoredObject;
}

interface Writing {
  readonly input: BatchInput;
  readonly context: BatchContext;
  /** What is written. */
  lines(): AsyncIterable<Uint8Array>;
}

/** The lines of a batch in a storage: a file is written once into each bucket. Throws the `GatewayError` `invalid-input` without one. */
export const writtenInput = async (
  storage: CloudStorage,
  { input, context: { account }, lines }: Writing,
): Promise<WrittenInput> => {
  const bucket = toBucket(storage, account);
  const key = 'gatewright/batches/';
  const address = await input.stored(toAddress(storage, { bucket, key }), async () => {
    const object = { bucket, key: `${key}${randomUUID()}/input.jsonl` };
    await storage.write(account, object, lines());
    return toAddress(storage, object);
  });
  const found = objectAt(storage, address) ?? { bucket, key };
  return { input: found, folder: { bucket, key: found.key.slice(0, found.key.lastIndexOf('/') + 1) } };
};
