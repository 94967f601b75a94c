import { builtinPlugins } from '../../../../plugins/builtin.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { sampleBody } from '../../../operations-table/sample-body.ts';
import type { DescribedRoute } from '../../tenants/support/described-routes.ts';

/** A request that a caller can send. */
export interface Operation {
  /** `POST /v1/chat/completions`. */
  readonly request: string;
  readonly body?: JsonObject | FormData;
  /** An upgrade to a WebSocket. If there is a body, it is sent as a message that asks for a response. */
  readonly isUpgrade?: true;
}

const turn = { role: 'user', content: 'Hello!' };

const model = 'm-1';

const fill = (path: string): string => {
  const filled = path.replaceAll('{model}', model);
  return filled.startsWith('/v1') || filled.startsWith('/v2') ? filled : `/v1${filled}`;
};

/** Every path of every dialect: a new path is tested as soon as it is declared. */
export const dialectOperations: readonly Operation[] = builtinPlugins
  .flatMap(({ dialects = [] }) => dialects)
  .flatMap(({ id, routes = [], siblings = [], roots = [] }) => {
    const below = [...routes.map(({ path }) => path), ...siblings].map((path) => [path, fill(path)] as const);
    const atRoot = roots.map((path) => [path, path.replaceAll('{model}', model)] as const);
    return [...below, ...atRoot].map(([path, filled]): Operation => {
      return { request: `POST ${filled}`, body: sampleBody(id, path.includes('{model}') ? undefined : model) };
    });
  });

const upload = (): FormData => {
  const form = new FormData();
  form.append('purpose', 'batch');
  form.append('file', new Blob(['{"a":1}\n']), 'lines.jsonl');
  return form;
};

/**
 * The bodies for operations of the control plane that lead to providers. `{files}` is the id of a file that the owner has
 * created.
 */
const controlBodies: Readonly<Record<string, () => JsonObject | FormData>> = {
  'POST /files': upload,
  'POST /batches': () => ({ input_file_id: '{files}', endpoint: '/v1/chat/completions', completion_window: '24h' }),
  'POST /fine_tuning/jobs': () => ({
    ...{ model, training_file: '{files}', suffix: 'mine', method: { type: 'supervised' } },
  }),
  'POST /responses': () => ({ model, input: 'Hello!', store: true }),
};

/** Whether this is the only route that leads to a provider without sharing its path with one. */
const isPrompt = ({ operationId }: DescribedRoute): boolean => operationId === 'complete_prompt';

const isBodied = (method: string): boolean => method !== 'GET' && method !== 'DELETE';

/** Whether an operation creates something that others name. */
export const isMaking = ({ request }: Operation): boolean =>
  ['POST /v1/files', 'POST /v1/batches', 'POST /v1/fine_tuning/jobs', 'POST /v1/responses'].includes(request);

/** Orders operations that create something first, and operations that delete it last. */
const toRank = ({ request }: Operation): number => {
  if (request === 'POST /v1/files') return 0;
  if (!request.includes('{')) return 1;
  return request.startsWith('DELETE') ? 3 : 2;
};

/** The path of a thing that the owner has created: `/files/{files}/content`. */
const ofOwner = (path: string): string => path.replaceAll(/\/(\w+)\/\{\w+\}/g, '/$1/{$1}');

/** The routes of the control plane that lead to providers. */
export const controlOperations = (routes: readonly DescribedRoute[]): readonly Operation[] =>
  routes
    .filter((route) => route.isShared || isPrompt(route))
    .map((route): Operation => {
      const { method, path } = route;
      if (isPrompt(route)) return { request: 'POST /v1/prompts/greeting/completions', body: { variables: {} } };
      const body = controlBodies[`${method} ${path}`]?.() ?? {};
      return { request: `${method} /v1${ofOwner(path)}`, ...(isBodied(method) ? { body } : {}) };
    })
    .sort((a, b) => toRank(a) - toRank(b));

/** A response that is created after its request has been answered. */
export const backgroundOperation: Operation = {
  request: 'POST /v1/responses',
  body: { model, input: 'Hello!', background: true },
};

/** Requests that the gateway passes through, or refuses, without a model of them. */
export const otherOperations: readonly Operation[] = [
  { request: 'GET /v1/models' },
  { request: `GET /v1/models/${model}` },
  { request: 'POST /v1/anything/at/all', body: { a: 1 } },
  { request: 'GET /v1/anything/at/all' },
  { request: 'DELETE /v1/anything' },
  { request: 'POST /v1/proxy/chat/completions', body: { model, messages: [turn] } },
  { request: 'POST /v1//chat/./completions', body: { model, messages: [turn] } },
  { request: 'POST /v1/images/upscales', body: { model, prompt: 'A cat.' } },
  { request: 'GET /v1/realtime?model=m-1', isUpgrade: true },
  { request: 'GET /v1/responses', isUpgrade: true, body: { model, input: 'Hello!', store: false } },
];
