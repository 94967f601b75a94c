import { invalidInput } from '../../../schema/invalid-input.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { objectsOf, textOf } from '../../../schema/loose.ts';
import { toPointer } from '../../../schema/pointer.ts';
import type { ProviderRequest } from '../accounts/account.ts';
import { ask } from '../accounts/ask.ts';
import { type CopiedFile, createFileCopies } from '../accounts/file-copies.ts';
import { uploadFile } from '../accounts/upload-file.ts';
import type { ControlParts } from '../control-parts.ts';
import { isOwnFile } from '../files/is-own-file.ts';
import { notFound } from '../saved/refusals.ts';
import { ok } from '../saved/replies.ts';
import type { NewBatchBody } from './batch-bodies.ts';
import type { BatchPage, Executor, ProviderCall } from './executor.ts';
import { normalisedBatch } from './providers/normalised-batch.ts';

/** As many as a provider lists at once, and as many lists as are asked for. */
const pageSize = 100;
const mostPages = 20;

const inputFileFault = (message: string, hint: string) =>
  invalidInput([{ pointer: toPointer(['input_file_id']), message, hint }]);

/** The files that a batch tells of. */
const filesOf = (batch: JsonObject): readonly string[] =>
  ['output_file_id', 'error_file_id'].flatMap((name) => {
    const id = batch[name];
    return typeof id === 'string' ? [id] : [];
  });

/**
 * Batches that providers run, whose API is OpenAI's: requests are passed on. An account may be shared by workspaces, which
 * reach what they made themselves alone.
 */
export const nativeExecutor = (
  { remoteIds, files }: ControlParts,
  providers: ReadonlySet<string>,
): Executor<ProviderCall> => {
  const copies = createFileCopies({ files, remoteIds });

  /** Sends a request about a batch that the workspace made with this provider, and notes its files. */
  const askOwn = async (call: ProviderCall, id: string, request: ProviderRequest): Promise<JsonObject> => {
    const found = await remoteIds.find(call.tenant, 'batch', id);
    if (found?.slug !== call.account.slug) throw notFound('batch', id, 'GET /v1/batches');
    const batch = await ask(call.account, request);
    const told = filesOf(batch);
    const known = await remoteIds.among(call.tenant, 'file', told, call.account.slug);
    for (const file of told)
      if (!known.has(file)) await remoteIds.record(call.tenant, { kind: 'file', id: file, slug: call.account.slug });
    return batch;
  };

  const pathOf = (id: string, rest = ''): string => `/batches/${encodeURIComponent(id)}${rest}`;

  /** The id that the account has for an input file. Throws the `GatewayError` `invalid-input`. */
  const inputOf = async (call: ProviderCall, { input_file_id: id }: NewBatchBody): Promise<string> => {
    const { tenant, account, context } = call;
    if (!isOwnFile(id)) {
      if ((await remoteIds.find(tenant, 'file', id))?.slug === account.slug) return id;
      throw inputFileFault(
        `Your workspace has no file "${id}" at ${account.slug}.`,
        'Upload the file with the same provider, and name the id that it is given.',
      );
    }
    const { slug } = account;
    const createdBy = context.principal.keyId;
    const upload = (file: CopiedFile) => uploadFile(account, file, 'batch');
    const there = await copies.into({ tenant, slug, id, createdBy, upload });
    if (there === undefined)
      throw inputFileFault(
        `Your workspace has no file "${id}" at the gateway.`,
        'Upload the lines with POST /v1/files, and name the id that it is given.',
      );
    return there;
  };

  /** A batch as the specification has it, with the gateway's id of its input file. */
  const view = async ({ tenant }: ProviderCall, batch: JsonObject): Promise<JsonObject> => ({
    ...normalisedBatch(batch),
    input_file_id: await copies.originOf(tenant, textOf(batch.input_file_id) ?? ''),
  });

  return {
    owns: (id) => !id.startsWith('gw-'),
    async create(call, body) {
      const { gw_options: options, ...sent } = body;
      if (options !== undefined)
        throw invalidInput([
          {
            pointer: toPointer(['gw_options']),
            message: `${call.account.slug} runs its batches itself, so that no options of the gateway apply.`,
            hint: 'Leave them out, or write "completion_window": "immediate".',
          },
        ]);
      const input_file_id = await inputOf(call, body);
      const batch = await ask(call.account, {
        method: 'POST',
        path: '/batches',
        body: { ...sent, input_file_id } as JsonObject,
      });
      const { keyId } = call.context.principal;
      if (typeof batch.id === 'string')
        await remoteIds.record(call.tenant, {
          ...{ kind: 'batch', id: batch.id, slug: call.account.slug },
          ...(keyId === undefined ? {} : { createdBy: keyId }),
        });
      return ok(await view(call, batch));
    },
    retrieve: async (call, id) => ok(await view(call, await askOwn(call, id, { method: 'GET', path: pathOf(id) }))),
    cancel: async (call, id) =>
      ok(await view(call, await askOwn(call, id, { method: 'POST', path: pathOf(id, '/cancel') }))),
    async output(call, id) {
      const { output_file_id: file } = await askOwn(call, id, { method: 'GET', path: pathOf(id) });
      if (typeof file !== 'string') throw notFound('output of the batch', id, 'GET /v1/batches/{id}');
      return call.account.send({ method: 'GET', path: `/files/${encodeURIComponent(file)}/content` });
    },
    async list(call, { after, limit }): Promise<BatchPage> {
      if (!providers.has(call.account.provider)) return { data: [], hasMore: false };
      const data: JsonObject[] = [];
      let last = after;
      for (let page = 0; page < mostPages; page += 1) {
        const query = new URLSearchParams({ limit: String(pageSize), ...(last === undefined ? {} : { after: last }) });
        const answer = await ask(call.account, { method: 'GET', path: `/batches?${query}` });
        const batches = objectsOf(answer.data);
        const ids = batches.map(({ id }) => String(id));
        const known = await remoteIds.among(call.tenant, 'batch', ids, call.account.slug);
        data.push(...batches.filter((_, at) => known.has(ids[at] ?? '')));
        last = ids.at(-1);
        const isLast = answer.has_more !== true || last === undefined;
        if (data.length > limit || isLast) break;
      }
      const listed = await Promise.all(data.slice(0, limit).map((batch) => view(call, batch)));
      return { data: listed, hasMore: data.length > limit };
    },
  };
};
