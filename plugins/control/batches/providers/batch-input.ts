import { invalidInput } from '../../../../schema/invalid-input.ts';
import { textOf } from '../../../../schema/loose.ts';
import { toPointer } from '../../../../schema/pointer.ts';
import { bytesAt } from '../../accounts/bytes-at.ts';
import { addressOf } from '../../accounts/storage/cloud-storage.ts';
import { fileIdOf, objectOfId } from '../../accounts/storage/file-id.ts';
import type { ControlParts } from '../../control-parts.ts';
import { isOwnFile } from '../../files/is-own-file.ts';
import type { ProviderCall } from '../executor.ts';
import { refuseForeignLines } from '../refuse-foreign-lines.ts';
import type { BatchAdapter, BatchContext, BatchInput } from './batch-adapter.ts';
import { inputLines, judgeInput } from './input-lines.ts';

interface NamedInput {
  readonly context: BatchContext;
  readonly adapter: BatchAdapter;
  /** What the request names. */
  readonly file: string;
  readonly endpoint: string;
}

/** The input of a batch, with the id that it has there. */
interface FoundInput extends Pick<BatchInput, 'model' | 'stored' | 'lines'> {
  readonly id: string;
}

type Parts = Pick<ControlParts, 'files' | 'fileCopies' | 'remoteIds' | 'store'>;

const refused = (message: string, hint: string) =>
  invalidInput([{ pointer: toPointer(['input_file_id']), message, hint }]);

const unknown = (file: string) =>
  refused(
    `Your workspace has no file "${file}" for batches of this account.`,
    'Upload the lines with POST /v1/files, the header x-gw-provider: gw and the purpose batch.',
  );

/** A file that the workspace has sent to the storage of the account. */
const sentInput = async (
  { remoteIds, store }: Parts,
  call: ProviderCall,
  { adapter: { inStorage }, file, endpoint }: NamedInput,
): Promise<FoundInput> => {
  const object = inStorage && objectOfId(inStorage.storage, file);
  if (inStorage === undefined || object === undefined) throw unknown(file);
  const { storage } = inStorage;
  const { tenant, account } = call;
  const id = fileIdOf(storage, object);
  if ((await remoteIds.find(tenant, 'file', id))?.slug !== account.slug) throw unknown(file);
  const { note } = await storage.head(account, object);
  const model = textOf(note.model);
  if (model === undefined)
    throw refused(
      `The file "${file}" was not written for a model.`,
      'Send it again with the purpose batch, and with the header x-gw-provider-model.',
    );
  if (note.endpoint !== endpoint)
    throw refused(`The lines of the file "${file}" are for ${note.endpoint}.`, 'Make the batch for that endpoint.');
  await refuseForeignLines({ store }, call, () => bytesAt(account, storage.reading(object)));
  return { id, model, stored: async () => addressOf(storage, object), lines: async function* () {} };
};

/**
 * The input that a request names: a file of the gateway, or one that the workspace has sent to the storage of the account as
 * the model of it takes it. Throws the `GatewayError` `invalid-input`.
 */
export const batchInput = async (parts: Parts, call: ProviderCall, named: NamedInput): Promise<FoundInput> => {
  const { files, fileCopies } = parts;
  const { tenant, account } = call;
  const { context, adapter, file, endpoint } = named;
  if (!isOwnFile(file)) return sentInput(parts, call, named);
  if ((await files.find(tenant, file)) === undefined) throw unknown(file);
  await refuseForeignLines(parts, call, () => files.read(tenant, file));
  const { codec } = context;
  const { keyId: createdBy } = call.context.principal;
  const model = await judgeInput(files.read(tenant, file), { endpoint, adapter, codec });
  return {
    ...{ id: file, model },
    lines: () => inputLines(files.read(tenant, file), endpoint),
    stored: async (place, upload) =>
      (await fileCopies.into({ tenant, slug: account.slug, id: file, createdBy, place, upload })) ?? (await upload()),
  };
};
