import { invalidInput } from '../../../../../schema/errors/invalid-input.ts';
import type { Json } from '../../../../../schema/json/json.ts';
import { findText } from '../../../../../schema/json/loose.ts';
import { toPointer } from '../../../../../schema/json/pointer.ts';
import { bytesAt } from '../../accounts/ask.ts';
import { type CloudStorage, objectOfId, toAddress, toFileId } from '../../accounts/storage/cloud-storage.ts';
import type { WorkParts } from '../../accounts/work-parts.ts';
import { isOwnFile } from '../../files/is-own-file.ts';
import type { ProviderCall } from '../batch/executor.ts';
import { refuseLines } from '../batch/refuse-lines.ts';
import type { BatchAdapter, BatchContext, BatchInput } from './batch-adapter.ts';
import { inputLines, validateInput } from './input-lines.ts';

interface NamedInput {
  readonly context: BatchContext;
  readonly adapter: BatchAdapter;
  /** What the request names. */
  readonly file: string;
  readonly endpoint: string;
  readonly model: string | undefined;
}

/** The input of a batch, with the id that it has there. */
interface FoundInput extends Pick<BatchInput, 'model' | 'stored' | 'sent' | 'lines'> {
  readonly id: string;
}

type Parts = Pick<WorkParts, 'accountIds' | 'files' | 'fileCopies' | 'store'>;

const refused = (message: string, hint: string) =>
  invalidInput([{ pointer: toPointer(['input_file_id']), message, hint }]);

const unknown = (file: string) =>
  refused(
    `Your workspace has no file "${file}" for batches of this account.`,
    'Upload the lines with POST /v1/files, the header x-gw-provider: gw and the purpose batch.',
  );

/** The id of a file that the workspace has sent to the account, or may ask for there. */
const sentTo = async ({ accountIds }: Parts, { tenant, account }: ProviderCall, id: string): Promise<string> => {
  if (!(await accountIds.mayAsk({ tenant, kind: 'file', account, id }))) throw unknown(id);
  return id;
};

const refuseOther = (file: string, written: Json | undefined, endpoint: string): void => {
  if (written !== endpoint)
    throw refused(`The lines of the file "${file}" are for ${written}.`, 'Make the batch for that endpoint.');
};

const notWritten = (file: string) =>
  refused(
    `The file "${file}" was not written for a model.`,
    'Send it again with the purpose batch, and with the header x-gw-provider-model.',
  );

const noLines = async function* (): AsyncGenerator<never> {};

/** A file in the storage of the account. */
const storedInput = async (
  parts: Parts,
  call: ProviderCall,
  { storage, file, endpoint }: Pick<NamedInput, 'file' | 'endpoint'> & { readonly storage: CloudStorage },
): Promise<FoundInput> => {
  const object = objectOfId(storage, file);
  if (object === undefined) throw unknown(file);
  const { account } = call;
  const id = await sentTo(parts, call, toFileId(storage, object));
  const { note } = await storage.head(account, object);
  const model = findText(note.model);
  if (model === undefined) throw notWritten(file);
  refuseOther(file, note.endpoint, endpoint);
  await refuseLines(parts, { ...call, model }, () => bytesAt(account, storage.reading(object)));
  return { id, model, stored: async () => toAddress(storage, object), lines: noLines };
};

/** A file that the workspace has sent to the account. */
const sentInput = async (parts: Parts, call: ProviderCall, named: NamedInput): Promise<FoundInput> => {
  const { adapter, file, endpoint, model } = named;
  const { written } = adapter;
  if (written === undefined) throw unknown(file);
  if (written.storage !== undefined) return storedInput(parts, call, { ...named, storage: written.storage });
  const id = await sentTo(parts, call, file);
  const of = await written.findEndpoint?.(id, call.account);
  if (of === undefined) throw notWritten(file);
  refuseOther(file, of, endpoint);
  if (model === undefined)
    throw invalidInput([
      {
        pointer: toPointer(['model']),
        message: `"model" is missing, which ${call.account.provider} does not keep with a file.`,
        hint: 'Name the model that the file was written for.',
      },
    ]);
  return { id, model, sent: id, stored: async () => id, lines: noLines };
};

/**
 * The input that a request names: a file of the gateway, or one that the workspace has sent to the storage of the account as
 * its model takes it. Throws the `GatewayError` `invalid-input`.
 */
export const batchInput = async (parts: Parts, call: ProviderCall, named: NamedInput): Promise<FoundInput> => {
  const { files, fileCopies } = parts;
  const { tenant, account } = call;
  const { context, adapter, file, endpoint } = named;
  if (!isOwnFile(file)) return sentInput(parts, call, named);
  if ((await files.find(tenant, file)) === undefined) throw unknown(file);
  await refuseLines(parts, call, () => files.read(tenant, file));
  const { codec } = context;
  const { keyId: createdBy } = call.context.principal;
  const model = await validateInput(files.read(tenant, file), { endpoint, adapter, codec });
  return {
    ...{ id: file, model },
    lines: () => inputLines(files.read(tenant, file), endpoint),
    stored: async (place, upload) =>
      (await fileCopies.into({ tenant, slug: account.slug, id: file, createdBy, place, upload })) ?? (await upload()),
  };
};
