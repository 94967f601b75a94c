import { invalidInput } from '../../../schema/invalid-input.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { textOf } from '../../../schema/loose.ts';
import { parseObject } from '../../../schema/parse-json.ts';
import { toPointer } from '../../../schema/pointer.ts';
import { isSuccess } from '../../../schema/status.ts';
import type { RouteReply } from '../../sdk/route-row.ts';
import { answerBytes } from '../accounts/answer-chunks.ts';
import { type CopiedFile, createFileCopies } from '../accounts/file-copies.ts';
import { fileForm } from '../accounts/file-form.ts';
import { refusalOf } from '../accounts/provider-refusal.ts';
import type { ControlParts } from '../control-parts.ts';
import { isOwnFile } from '../files/is-own-file.ts';
import { type Collected, collected } from '../remote-ids/collected.ts';
import { notFound } from '../saved/refusals.ts';
import { ok } from '../saved/replies.ts';
import type { NewBatchBody } from './batch-bodies.ts';
import type { BatchPage, Executor, ProviderCall } from './executor.ts';
import { normalisedBatch } from './providers/normalised-batch.ts';

/** As many as a provider lists at once, and as many lists as are asked for. */
const pageSize = 100;
const mostPages = 20;

const mostAnswerBytes = 1024 * 1024;

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
  { remoteIds, files, store, now }: ControlParts,
  providers: ReadonlySet<string>,
): Executor<ProviderCall> => {
  const copies = createFileCopies({ files, remoteIds, store, now });

  const send = async (
    { context, provider }: ProviderCall,
    request: { readonly method: string; readonly path: string; readonly body?: JsonObject },
  ): Promise<Collected> =>
    collected(await context.dispatch({ ...request, headers: provider.headers }, context.principal));

  /** Sends a request about a batch that the workspace made with this provider, and notes its files. */
  const ask = async (call: ProviderCall, id: string, request: { readonly method: string; readonly path: string }) => {
    const found = await remoteIds.find(call.tenant, 'batch', id);
    if (found?.slug !== call.provider.slug) throw notFound('batch', id, 'GET /v1/batches');
    const passed = await send(call, request);
    const told = passed.said === undefined ? [] : filesOf(passed.said);
    const known = await remoteIds.among(call.tenant, 'file', told, call.provider.slug);
    for (const file of told)
      if (!known.has(file)) await remoteIds.record(call.tenant, { kind: 'file', id: file, slug: call.provider.slug });
    return passed;
  };

  const pathOf = (id: string, rest = ''): string => `/v1/batches/${encodeURIComponent(id)}${rest}`;

  /** Copies a file of the gateway into the account. */
  const upload = async (call: ProviderCall, file: CopiedFile): Promise<string> => {
    const { context, provider } = call;
    const received = fileForm({ ...file, fields: { purpose: 'batch' } });
    const request = { method: 'POST', path: '/v1/files', headers: provider.headers, received };
    const { status, headers, body } = await context.dispatch(request, context.principal);
    const text = (await answerBytes(body, mostAnswerBytes)).toString();
    const id = textOf(parseObject(text)?.id);
    if (!isSuccess(status) || id === undefined) throw refusalOf(status, headers, text);
    return id;
  };

  /** The id that the account has for an input file. Throws the `GatewayError` `invalid-input`. */
  const inputOf = async (call: ProviderCall, { input_file_id: id }: NewBatchBody): Promise<string> => {
    const { tenant, provider, context } = call;
    if (!isOwnFile(id)) {
      if ((await remoteIds.find(tenant, 'file', id))?.slug === provider.slug) return id;
      throw inputFileFault(
        `Your workspace has no file "${id}" at ${provider.slug}.`,
        'Upload the file with the same provider, and name the id that it is given.',
      );
    }
    const { slug } = provider;
    const createdBy = context.principal.keyId;
    const there = await copies.into({ tenant, slug, id, createdBy, upload: (file) => upload(call, file) });
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

  /** What a provider answers: a batch, or why there is none. */
  const shown = async (call: ProviderCall, { answer, said }: Collected): Promise<RouteReply> =>
    said === undefined ? answer : ok(await view(call, said));

  return {
    owns: (id) => !id.startsWith('gw-'),
    async create(call, body) {
      const { gw_options: options, ...sent } = body;
      if (options !== undefined)
        throw invalidInput([
          {
            pointer: toPointer(['gw_options']),
            message: `${call.provider.slug} runs its batches itself, so that no options of the gateway apply.`,
            hint: 'Leave them out, or write "completion_window": "immediate".',
          },
        ]);
      const input_file_id = await inputOf(call, body);
      const { answer, said } = await send(call, {
        method: 'POST',
        path: '/v1/batches',
        body: { ...sent, input_file_id } as JsonObject,
      });
      const { keyId } = call.context.principal;
      if (typeof said?.id === 'string')
        await remoteIds.record(call.tenant, {
          ...{ kind: 'batch', id: said.id, slug: call.provider.slug },
          ...(keyId === undefined ? {} : { createdBy: keyId }),
        });
      return shown(call, { answer, said });
    },
    retrieve: async (call, id) => shown(call, await ask(call, id, { method: 'GET', path: pathOf(id) })),
    cancel: async (call, id) => shown(call, await ask(call, id, { method: 'POST', path: pathOf(id, '/cancel') })),
    async output(call, id) {
      const { answer, said } = await ask(call, id, { method: 'GET', path: pathOf(id) });
      if (said === undefined) return answer;
      const { output_file_id: file } = said;
      if (typeof file !== 'string') throw notFound('output of the batch', id, 'GET /v1/batches/{id}');
      const { context, provider } = call;
      const path = `/v1/files/${encodeURIComponent(file)}/content`;
      return context.dispatch({ method: 'GET', path, headers: provider.headers }, context.principal);
    },
    async list(call, { after, limit }): Promise<BatchPage> {
      if (!providers.has(call.provider.provider)) return { data: [], hasMore: false };
      const data: JsonObject[] = [];
      let last = after;
      for (let page = 0; page < mostPages; page += 1) {
        const query = new URLSearchParams({ limit: String(pageSize), ...(last === undefined ? {} : { after: last }) });
        const { answer, said } = await send(call, { method: 'GET', path: `/v1/batches?${query}` });
        if (said === undefined)
          throw refusalOf(answer.status, answer.headers, (await answerBytes(answer.body, mostAnswerBytes)).toString());
        const batches = Array.isArray(said.data) ? (said.data as readonly JsonObject[]) : [];
        const ids = batches.map(({ id }) => String(id));
        const known = await remoteIds.among(call.tenant, 'batch', ids, call.provider.slug);
        data.push(...batches.filter((_, at) => known.has(ids[at] ?? '')));
        last = ids.at(-1);
        const isLast = said.has_more !== true || last === undefined;
        if (data.length > limit || isLast) break;
      }
      const listed = await Promise.all(data.slice(0, limit).map((batch) => view(call, batch)));
      return { data: listed, hasMore: data.length > limit };
    },
  };
};
