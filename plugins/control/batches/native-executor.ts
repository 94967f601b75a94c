import { gatewayError } from '../../../schema/errors.ts';
import { invalidInput } from '../../../schema/invalid-input.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { toPointer } from '../../../schema/pointer.ts';
import type { ControlParts } from '../control-parts.ts';
import { type Collected, collected } from '../remote-ids/collected.ts';
import { notFound } from '../saved/refusals.ts';
import type { NewBatchBody } from './batch-bodies.ts';
import type { BatchCall, BatchPage, BatchProvider, Executor } from './executor.ts';

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
export const nativeExecutor = ({ remoteIds }: ControlParts, providers: ReadonlySet<string>): Executor => {
  const send = async (
    { context, provider }: BatchCall,
    request: { readonly method: string; readonly path: string; readonly body?: JsonObject },
  ): Promise<Collected> => {
    const { headers } = await provider();
    return collected(await context.dispatch({ ...request, headers }, context.principal));
  };

  /** Sends a request about a batch that the workspace made with this provider, and notes its files. */
  const ask = async (call: BatchCall, id: string, request: { readonly method: string; readonly path: string }) => {
    const found = await remoteIds.find(call.tenant, 'batch', id);
    const { slug } = await call.provider();
    if (found?.slug !== slug) throw notFound('batch', id, 'GET /v1/batches');
    const passed = await send(call, request);
    const files = passed.said === undefined ? [] : filesOf(passed.said);
    const known = await remoteIds.among(call.tenant, 'file', files, slug);
    for (const file of files)
      if (!known.has(file)) await remoteIds.record(call.tenant, { kind: 'file', id: file, slug });
    return passed;
  };

  const pathOf = (id: string, rest = ''): string => `/v1/batches/${encodeURIComponent(id)}${rest}`;

  const checkInput = async (
    { tenant }: BatchCall,
    provider: BatchProvider,
    { input_file_id: id }: NewBatchBody,
  ): Promise<void> => {
    if (id.startsWith('gw-'))
      throw inputFileFault(
        `${provider.slug} runs its batches itself, and does not have the gateway's file "${id}".`,
        'Upload the file to the provider, without x-gw-provider: gw, or write "completion_window": "immediate".',
      );
    const file = await remoteIds.find(tenant, 'file', id);
    if (file?.slug !== provider.slug)
      throw inputFileFault(
        `Your workspace has no file "${id}" at ${provider.slug}.`,
        'Upload the file with the same provider, and name the id that it is given.',
      );
  };

  return {
    owns: (id) => !id.startsWith('gw-'),
    async create(call, body) {
      const { gw_options: options, ...sent } = body;
      const provider = await call.provider();
      if (options !== undefined)
        throw invalidInput([
          {
            pointer: toPointer(['gw_options']),
            message: `${provider.slug} runs its batches itself, so that no options of the gateway apply.`,
            hint: 'Leave them out, or write "completion_window": "immediate".',
          },
        ]);
      await checkInput(call, provider, body);
      const { answer, said } = await send(call, { method: 'POST', path: '/v1/batches', body: sent as JsonObject });
      const { keyId } = call.context.principal;
      if (typeof said?.id === 'string')
        await remoteIds.record(call.tenant, {
          ...{ kind: 'batch', id: said.id, slug: provider.slug },
          ...(keyId === undefined ? {} : { createdBy: keyId }),
        });
      return answer;
    },
    retrieve: async (call, id) => (await ask(call, id, { method: 'GET', path: pathOf(id) })).answer,
    cancel: async (call, id) => (await ask(call, id, { method: 'POST', path: pathOf(id, '/cancel') })).answer,
    async output(call, id) {
      const { answer, said } = await ask(call, id, { method: 'GET', path: pathOf(id) });
      if (said === undefined) return answer;
      const { output_file_id: file } = said;
      if (typeof file !== 'string') throw notFound('output of the batch', id, 'GET /v1/batches/{id}');
      const { headers } = await call.provider();
      const path = `/v1/files/${encodeURIComponent(file)}/content`;
      return call.context.dispatch({ method: 'GET', path, headers }, call.context.principal);
    },
    async list(call, { after, limit }): Promise<BatchPage> {
      const { slug, provider } = await call.provider();
      const isAny = providers.has(provider) && (await remoteIds.hasAny(call.tenant, 'batch', slug));
      if (!isAny) return { data: [], hasMore: false };
      const data: JsonObject[] = [];
      let last = after;
      for (let page = 0; page < mostPages; page += 1) {
        const query = new URLSearchParams({ limit: String(pageSize), ...(last === undefined ? {} : { after: last }) });
        const { answer, said } = await send(call, { method: 'GET', path: `/v1/batches?${query}` });
        if (said === undefined)
          throw gatewayError('unreadable-answer', {
            provider: slug,
            reason: `it is a ${answer.status}.`,
          });
        const batches = Array.isArray(said.data) ? (said.data as readonly JsonObject[]) : [];
        const ids = batches.map(({ id }) => String(id));
        const known = await remoteIds.among(call.tenant, 'batch', ids, slug);
        data.push(...batches.filter((_, at) => known.has(ids[at] ?? '')));
        last = ids.at(-1);
        const isLast = said.has_more !== true || last === undefined;
        if (data.length > limit || isLast) break;
      }
      return { data: data.slice(0, limit), hasMore: data.length > limit };
    },
  };
};
