import { randomUUID } from 'node:crypto';
import { GatewayError } from '../../../../../schema/errors/errors.ts';
import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import { findText } from '../../../../../schema/json/loose.ts';
import { isOwnFile } from '../../files/is-own-file.ts';
import type { Account } from '../../provider-requests/account.ts';
import { requestBytes } from '../../provider-requests/request-json.ts';
import {
  type CloudStorage,
  objectAt,
  objectOfId,
  type StoredObject,
  toAddress,
  toBucket,
  toFileId,
} from '../../provider-requests/storage/cloud-storage.ts';
import type { WorkParts } from '../../provider-requests/work-parts.ts';
import { type BatchLine, maxLines, requestLines } from '../batch/batch-lines.ts';
import { checkLines, correctFile, fileError, lineError } from '../batch/check-lines.ts';
import type { ProviderCall } from '../batch/executor.ts';
import type { LineCodec } from '../batch/line-codec.ts';
import type { BatchAdapter, BatchContext, BatchInput } from './batch-adapter.ts';

const chats = '/v1/chat/completions';

/** Reads the requests of an input file that was checked before. */
export async function* inputLines(bytes: AsyncIterable<Uint8Array>, endpoint: string): AsyncGenerator<BatchLine> {
  for await (const { request } of requestLines(bytes, endpoint)) if (!('error' in request)) yield request;
}

interface Judging {
  /** The member of the request that names the file. */
  readonly member: 'file' | 'input_file_id';
  /** The model of all requests, instead of their own; their own if absent. */
  readonly model?: string;
  readonly endpoint: string;
  readonly adapter: BatchAdapter;
  readonly codec: LineCodec;
}

const bodyError = (body: JsonObject, { endpoint, codec }: Pick<Judging, 'endpoint' | 'codec'>): string | undefined => {
  if (body.stream === true) return 'A request in a batch cannot be streamed.';
  if (endpoint !== chats) return undefined;
  try {
    codec.request(body);
    return undefined;
  } catch (error) {
    if (error instanceof GatewayError) return error.message;
    throw error;
  }
};

/**
 * Reads the requests of an input file, and checks each before it is yielded. Throws the `GatewayError` `invalid-input` at the
 * first line that cannot be sent to the provider.
 */
export async function* validatedLines(
  bytes: AsyncIterable<Uint8Array>,
  { endpoint, adapter, codec, member, model }: Judging,
): AsyncGenerator<BatchLine> {
  const ids = new Set<string>();
  const models = new Set<string>();
  for await (const { line, request } of requestLines(bytes, endpoint)) {
    const { number } = line;
    if ('error' in request) throw lineError(number, request.error.message, { member });
    const named = model === undefined ? request : { ...request, body: { ...request.body, model } };
    if (ids.has(named.customId)) throw lineError(number, 'An earlier line has the same custom_id.', { member });
    ids.add(named.customId);
    if (ids.size > maxLines) throw fileError(`The file has more than ${maxLines} lines.`, correctFile, member);
    models.add(findText(named.body.model) ?? '');
    if (adapter.hasOneModel === true && models.size > 1)
      throw lineError(number, 'All lines must have the same model at this provider.', { member });
    const error = bodyError(named.body, { endpoint, codec }) ?? adapter.lineError?.(named, codec, endpoint);
    if (error !== undefined) throw lineError(number, error, { member });
    yield named;
  }
  if (ids.size === 0) throw fileError('The file has no lines.', correctFile, member);
}

/**
 * Checks an input file before anything is sent to a provider. Resolves to the model of all lines, or to undefined. Rejects like
 * `validatedLines`.
 */
const validateInput = async (
  bytes: AsyncIterable<Uint8Array>,
  validating: Omit<Judging, 'member' | 'model'>,
): Promise<string | undefined> => {
  const models = new Set<string>();
  for await (const { body } of validatedLines(bytes, { ...validating, member: 'input_file_id' }))
    models.add(findText(body.model) ?? '');
  const [model] = models;
  return models.size === 1 ? model : undefined;
};

/**
 * Writes the lines of a batch into a storage, each file once into each bucket. Returns the location of the lines and the folder
 * for the results. Throws the `GatewayError` `invalid-input` if no bucket is named.
 */
export const uploadInput = async (
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
  /** The file's name in the request. */
  readonly file: string;
  readonly endpoint: string;
  readonly model: string | undefined;
}

/** The input of a batch, with its id in the account. */
interface FoundInput extends Pick<BatchInput, 'model' | 'stored' | 'sent' | 'lines'> {
  readonly id: string;
}

type Parts = Pick<WorkParts, 'accountIds' | 'files' | 'fileCopies' | 'store'>;

const unknown = (file: string) =>
  fileError(
    `Your workspace has no file "${file}" for batches of this account.`,
    'Upload the lines with POST /v1/files, the header x-gw-provider: gw and the purpose batch.',
  );

/** Rejects a file that the workspace has not uploaded to the account and may not ask for there. */
const refuseForeign = async ({ accountIds }: Parts, { tenant, account }: ProviderCall, id: string): Promise<void> => {
  if (!(await accountIds.mayAccess({ tenant, kind: 'file', account, id }))) throw unknown(id);
};

const notWritten = (file: string) =>
  fileError(
    `The file "${file}" was not written for a model.`,
    'Send it again with the purpose batch, and with the header x-gw-provider-model.',
  );

const refuseOther = (file: string, written: Json | undefined, endpoint: string): void => {
  if (written !== endpoint)
    throw fileError(
      `The lines of the file "${file}" are for ${findText(written) ?? 'no endpoint'}.`,
      'Create the batch for that endpoint.',
    );
};

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
  await checkLines(parts, { ...call, model }, () => requestBytes(call.account, storage.reading(object)));
  return { id, model, stored: async () => toAddress(storage, object), lines: async function* () {} };
};

/** Finds a file that the workspace has uploaded to the account. */
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
    throw fileError(
      `"model" is missing, and ${call.account.provider} does not store it with a file.`,
      'Send the model that the file was written for.',
      'model',
    );
  return { id, model, sent: id, stored: async () => id, lines: async function* () {} };
};

/**
 * Finds the input that a request names: a file of the gateway, or one that the workspace has uploaded to the storage of the
 * account in the form of its model. Throws the `GatewayError` `invalid-input`.
 */
export const batchInput = async (parts: Parts, call: ProviderCall, named: NamedInput): Promise<FoundInput> => {
  const { files, fileCopies } = parts;
  const { tenant, account } = call;
  const { context, adapter, file: id, endpoint } = named;
  if (!isOwnFile(id)) return sentInput(parts, call, named);
  if ((await files.find(tenant, id)) === undefined) throw unknown(id);
  await checkLines(parts, call, () => files.read(tenant, id));
  const { keyId: createdBy } = call.context.principal;
  return {
    id,
    model: await validateInput(files.read(tenant, id), { endpoint, adapter, codec: context.codec }),
    lines: () => inputLines(files.read(tenant, id), endpoint),
    stored: async (place, upload) =>
      (await fileCopies.copyInto({
        ...{ tenant, slug: account.slug, id, createdBy, place, keyAccount: account.keyAccount, upload },
      })) ?? (await upload()),
  };
};
