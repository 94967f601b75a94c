import { invalidInput } from '../../../../schema/errors/invalid-input.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { toPointer } from '../../../../schema/json/pointer.ts';
import { notFound } from '../../kernel/requests/refusals.ts';
import { ok } from '../../kernel/requests/replies.ts';
import type { Account, ProviderRequest } from '../accounts/account.ts';
import { ask, bytesAt } from '../accounts/ask.ts';
import type { CopiedFile } from '../accounts/file-copies.ts';
import { ProviderRefusal } from '../accounts/provider-refusal.ts';
import { uploadFile } from '../accounts/upload-file.ts';
import type { WorkParts } from '../accounts/work-parts.ts';
import { isOwnFile } from '../files/is-own-file.ts';
import type { NewBatchBody } from './batch/batch-bodies.ts';
import { isOver } from './batch/batch-status.ts';
import type { BatchPage, ProviderCall, ProviderExecutor } from './batch/executor.ts';
import { refuseLines } from './batch/refuse-lines.ts';
import { refusePlan } from './batch/refuse-plan.ts';
import { jsonLines, objectLines } from './lines/read-lines.ts';
import { isLost } from './managed/check/check-job.ts';
import { usageView } from './managed/records/used.ts';
import { normalisedBatch } from './providers/normalised-batch.ts';
import { toPlace, type WatchedBatches } from './providers/watched-batches.ts';

/** As many as a provider lists at once, and as many lists as are asked for. */
const pageSize = 100;
const maxPages = 20;

const inputFileFault = (message: string, hint: string) =>
  invalidInput([{ pointer: toPointer(['input_file_id']), message, hint }]);

const toContent = (file: string): ProviderRequest => ({
  method: 'GET',
  path: `/files/${encodeURIComponent(file)}/content`,
});

const contentAt = (account: Account, file: string): AsyncGenerator<Uint8Array> => bytesAt(account, toContent(file));

/** The files that a batch tells of. */
const readFiles = (batch: JsonObject): readonly string[] =>
  ['output_file_id', 'error_file_id'].flatMap((name) => {
    const id = batch[name];
    return typeof id === 'string' ? [id] : [];
  });

/**
 * Batches that providers run, whose API is OpenAI's: requests are passed on. An account may be shared by workspaces, which
 * reach what they made themselves alone.
 */
export const nativeExecutor = (
  { store, remoteIds, accountIds, files, fileCopies, watched }: WorkParts & { readonly watched: WatchedBatches },
  providers: ReadonlySet<string>,
): ProviderExecutor => {
  /** Sends a request about a batch that the workspace made with this provider, or may ask for, and notes the files of its own. */
  const askOwn = async (call: ProviderCall, id: string, request: ProviderRequest): Promise<JsonObject> => {
    const { tenant, account } = call;
    const whose = await accountIds.whose({ tenant, kind: 'batch', account, id });
    if (whose !== 'own' && whose !== 'unknown') throw notFound('batch', id, 'GET /v1/batches');
    const batch = await ask(account, request);
    // The files of a batch that is nobody's are nobody's either.
    if (whose === 'unknown') return batch;
    const listed = readFiles(batch);
    const known = await remoteIds.among(call.tenant, 'file', listed, call.account.slug);
    for (const file of listed)
      if (!known.has(file)) await remoteIds.record(call.tenant, { kind: 'file', id: file, slug: call.account.slug });
    return batch;
  };

  const toPath = (id: string, rest = ''): string => `/batches/${encodeURIComponent(id)}${rest}`;

  /** The id that the account has for an input file. Throws the `GatewayError` `invalid-input`. */
  const readInput = async (call: ProviderCall, { input_file_id: id }: NewBatchBody): Promise<string> => {
    const { tenant, account, context } = call;
    if (!isOwnFile(id)) {
      if (!(await accountIds.mayAsk({ tenant, kind: 'file', account, id })))
        throw inputFileFault(
          `Your workspace has no file "${id}" at ${account.slug}.`,
          'Upload the file with the same provider, and name the id that it is given.',
        );
      await refuseLines({ store }, call, () => contentAt(account, id));
      return id;
    }
    if ((await files.find(tenant, id)) !== undefined) await refuseLines({ store }, call, () => files.read(tenant, id));
    const { slug } = account;
    const createdBy = context.principal.keyId;
    const upload = (file: CopiedFile) => uploadFile(account, file, 'batch');
    const uploaded = await fileCopies.into({ tenant, slug, id, createdBy, upload });
    if (uploaded === undefined)
      throw inputFileFault(
        `Your workspace has no file "${id}" at the gateway.`,
        'Upload the lines with POST /v1/files, and name the id that it is given.',
      );
    return uploaded;
  };

  /** A batch as the specification has it, with the gateway's id of its input file, and what its lines have used. */
  const view = async (call: ProviderCall, batch: JsonObject): Promise<JsonObject> => {
    const known = await watched.find(toPlace(call, findText(batch.id) ?? ''));
    return {
      ...normalisedBatch(batch),
      input_file_id: await fileCopies.readOrigin(call.tenant, findText(batch.input_file_id) ?? ''),
      ...(known?.state === 'charged' ? usageView(known) : {}),
    };
  };

  /** The same of one that was asked for, which is charged soon after its end. */
  const shown = async (call: ProviderCall, batch: JsonObject): Promise<JsonObject> => {
    const seen = await view(call, batch);
    if (isOver(seen) && seen.cost === undefined) await watched.hurry(call, findText(batch.id) ?? '');
    return seen;
  };

  /** The model that the lines of an input file ask for, which is the same for all of them; undefined if the file is gone. */
  const readModel = async ({ account, tenant }: ProviderCall, file: string): Promise<string | undefined> => {
    const own = await fileCopies.readOrigin(tenant, file);
    const lines = isOwnFile(own)
      ? objectLines(files.read(tenant, own), account.provider)
      : jsonLines(account, toContent(file));
    try {
      const { value } = await lines.next();
      await lines.return(undefined);
      return findText(findObject(value?.body)?.model);
    } catch (error) {
      if (isLost(error) || (error instanceof ProviderRefusal && error.reply.status === 404)) return undefined;
      throw error;
    }
  };

  return {
    async create(call, body) {
      refusePlan(call, body);
      const input_file_id = await readInput(call, body);
      const batch = await ask(call.account, {
        method: 'POST',
        path: '/batches',
        body: { ...body, input_file_id } as JsonObject,
      });
      const { keyId } = call.context.principal;
      if (typeof batch.id === 'string') {
        const { slug } = call.account;
        await remoteIds.record(call.tenant, { kind: 'batch', id: batch.id, slug, createdBy: keyId });
        await watched.begin(call, { id: batch.id, endpoint: body.endpoint, model: undefined });
      }
      return ok(await view(call, batch));
    },
    retrieve: async (call, id) => ok(await shown(call, await askOwn(call, id, { method: 'GET', path: toPath(id) }))),
    cancel: async (call, id) =>
      ok(await shown(call, await askOwn(call, id, { method: 'POST', path: toPath(id, '/cancel') }))),
    async output(call, id) {
      const { output_file_id: file } = await askOwn(call, id, { method: 'GET', path: toPath(id) });
      if (typeof file !== 'string') throw notFound('output of the batch', id, 'GET /v1/batches/{id}');
      return call.account.send(toContent(file));
    },
    async ended(call, id) {
      const batch = await askOwn(call, id, { method: 'GET', path: toPath(id) });
      if (!isOver(normalisedBatch(batch))) return undefined;
      const input = findText(batch.input_file_id);
      return {
        model: async () => (input === undefined ? undefined : readModel(call, input)),
        async *results() {
          for (const file of readFiles(batch))
            for await (const line of jsonLines(call.account, toContent(file))) yield { line };
        },
      };
    },
    async list(call, { after, limit }): Promise<BatchPage> {
      if (!providers.has(call.account.provider)) return { data: [], hasMore: false };
      const data: JsonObject[] = [];
      let last = after;
      for (let page = 0; page < maxPages; page += 1) {
        const query = new URLSearchParams({ limit: String(pageSize), ...(last === undefined ? {} : { after: last }) });
        const answer = await ask(call.account, { method: 'GET', path: `/batches?${query}` });
        const batches = toObjects(answer.data);
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
