import { randomUUID } from 'node:crypto';
import { invalidInput } from '../../../../../schema/errors/invalid-input.ts';
import type { Json } from '../../../../../schema/json/json.ts';
import { findText } from '../../../../../schema/json/loose.ts';
import { toPointer } from '../../../../../schema/json/pointer.ts';
import type { Account } from '../../accounts/account.ts';
import { bytesAt } from '../../accounts/ask.ts';
import {
  type CloudStorage,
  objectAt,
  objectOfId,
  type StoredObject,
  toAddress,
  toBucket,
  toFileId,
} from '../../accounts/storage/cloud-storage.ts';
import type { WorkParts } from '../../accounts/work-parts.ts';
import { isOwnFile } from '../../files/is-own-file.ts';
import type { ProviderCall } from '../batch/executor.ts';
import { refuseLines } from '../batch/refuse-lines.ts';
import type { BatchAdapter, BatchContext, BatchInput } from './batch-adapter.ts';
import { inputLines, validateInput } from './input-lines.ts';

/**
 * Writes the lines of a batch into a storage, each file once into each bucket, and answers where they are, and the folder of the
 * results. Throws the `GatewayError` `invalid-input` where nothing names a bucket.
 */
export const writtenInput = async (
  storage: CloudStorage,
  { input, account, lines }: { readonly input: BatchInput; readonly account: Account; lines(): AsyncIterable<Buffer> },
): Promise<{ readonly input: StoredObject; readonly folder: StoredObject }> => {
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

interface NamedInput {
  readonly context: BatchContext;
  readonly adapter: BatchAdapter;
  /** The name in the request. */
  readonly file: string;
  readonly endpoint: string;
  readonly model: string | undefined;
}

/** The input of a batch, with the id that it has there. */
interface FoundInput extends Pick<BatchInput, 'model' | 'stored' | 'sent' | 'lines'> {
  readonly id: string;
}

type Parts = Pick<WorkParts, 'accountIds' | 'files' | 'fileCopies' | 'store'>;

const refused = (message: string, hint: string, member = 'input_file_id') =>
  invalidInput([{ pointer: toPointer([member]), message, hint }]);

const unknown = (file: string) =>
  refused(
    `Your workspace has no file "${file}" for batches of this account.`,
    'Upload the lines with POST /v1/files, the header x-gw-provider: gw and the purpose batch.',
  );

/** Refuses a file that the workspace has not sent to the account, and may not ask for there. */
const refuseForeign = async ({ accountIds }: Parts, { tenant, account }: ProviderCall, id: string): Promise<void> => {
  if (!(await accountIds.mayAsk({ tenant, kind: 'file', account, id }))) throw unknown(id);
};

const notWritten = (file: string) =>
  refused(
    `The file "${file}" was not written for a model.`,
    'Send it again with the purpose batch, and with the header x-gw-provider-model.',
  );

const refuseOther = (file: string, written: Json | undefined, endpoint: string): void => {
  if (written !== endpoint)
    throw refused(`The lines of the file "${file}" are for ${written}.`, 'Make the batch for that endpoint.');
};

const noLines = async function* (): AsyncGenerator<never> {};

/** Finds a file in the storage of the account. */
const storedInput = async (
  parts: Parts,
  call: ProviderCall,
  { storage, file, endpoint }: Pick<NamedInput, 'file' | 'endpoint'> & { readonly storage: CloudStorage },
): Promise<FoundInput> => {
  const object = objectOfId(storage, file);
  if (object === undefined) throw unknown(file);
  const id = toFileId(storage, object);
  await refuseForeign(parts, call, id);
  const { note } = await storage.head(call.account, object);
  const model = findText(note.model);
  if (model === undefined) throw notWritten(file);
  refuseOther(file, note.endpoint, endpoint);
  await refuseLines(parts, { ...call, model }, () => bytesAt(call.account, storage.reading(object)));
  return { id, model, stored: async () => toAddress(storage, object), lines: noLines };
};

/** Finds a file that the workspace has sent to the account. */
const sentInput = async (parts: Parts, call: ProviderCall, named: NamedInput): Promise<FoundInput> => {
  const { adapter, file: id, endpoint, model } = named;
  const { written } = adapter;
  if (written === undefined) throw unknown(id);
  if (written.storage !== undefined) return storedInput(parts, call, { ...named, storage: written.storage });
  await refuseForeign(parts, call, id);
  const of = await written.findEndpoint?.(id, call.account);
  if (of === undefined) throw notWritten(id);
  refuseOther(id, of, endpoint);
  if (model === undefined)
    throw refused(
      `"model" is missing, which ${call.account.provider} does not keep with a file.`,
      'Name the model that the file was written for.',
      'model',
    );
  return { id, model, sent: id, stored: async () => id, lines: noLines };
};

/**
 * Finds the input that a request names: a file of the gateway, or one that the workspace has sent to the storage of the account
 * as its model takes it. Throws the `GatewayError` `invalid-input`.
 */
export const batchInput = async (parts: Parts, call: ProviderCall, named: NamedInput): Promise<FoundInput> => {
  const { files, fileCopies } = parts;
  const { tenant, account } = call;
  const { context, adapter, file: id, endpoint } = named;
  if (!isOwnFile(id)) return sentInput(parts, call, named);
  if ((await files.find(tenant, id)) === undefined) throw unknown(id);
  await refuseLines(parts, call, () => files.read(tenant, id));
  const { keyId: createdBy } = call.context.principal;
  const { codec } = context;
  return {
    id,
    model: await validateInput(files.read(tenant, id), { endpoint, adapter, codec }),
    lines: () => inputLines(files.read(tenant, id), endpoint),
    stored: async (place, upload) =>
      (await fileCopies.into({ tenant, slug: account.slug, id, createdBy, place, upload })) ?? (await upload()),
  };
};
