import type { Operation } from '../document/operations.ts';
import { type BodyContext, bodyFor, needlessBody, type SentBody } from '../inputs/body.ts';
import { callerFor, strayHeaders } from '../inputs/callers.ts';
import { formFor } from '../inputs/form.ts';
import { respelled, targetFor } from '../inputs/target.ts';
import type { ApiAnswer, ApiRequest } from './exchange.ts';
import { anyName, type Caller, type Place, toCollection, toCollections, type World } from './world.ts';

/** A request and its purpose. */
export interface Asked {
  readonly request: ApiRequest;
  readonly caller: Caller;
  readonly collection: string;
  readonly operation: Operation;
  /**
   * `operation`: for the operation; `respelled`: for the operation or for nothing; `method`: the path has no operation with
   * this method.
   */
  readonly kind: 'operation' | 'respelled' | 'method';
  /** The name in its path. */
  readonly name: string | undefined;
  /** The earlier answer to the same request with the same `idempotency-key`. */
  readonly before?: ApiAnswer;
}

/** The operations, and the paths of collections whose items have their own paths. */
export interface Api {
  readonly operations: readonly Operation[];
  readonly collections: readonly string[];
  /** The operations, repeated in proportion to how often they are requested: more things are created than deleted. */
  readonly weighted: readonly Operation[];
}

const toWeight = ({ method, path, replies }: Operation): number => {
  if (method === 'DELETE') return 1;
  return (method === 'POST' && !path.includes('{')) || replies.default !== undefined ? 4 : 2;
};

export const toApi = (operations: readonly Operation[]): Api => ({
  operations,
  collections: toCollections(operations),
  weighted: operations.flatMap((each) => Array.from({ length: toWeight(each) }, () => each)),
});

const methods: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'];

const methodFor = ({ operations }: Api, { path }: Operation, { random }: World): string => {
  const known = new Set(operations.filter((each) => each.path === path).map(({ method }) => method));
  return random.pick(methods.filter((each) => !known.has(each)));
};

/** Requests for batches name a provider. Some name a different provider than the batch's own, or none. */
const batchHeaders = ({ random, ...world }: World, place: Place): Readonly<Record<string, string>> => {
  const name = random.oneIn(4) ? anyName({ random, ...world }, place, '/virtual-keys') : 'lasting-key';
  return name === undefined || random.oneIn(20) ? {} : { 'x-gw-virtual-key': name };
};

/** An operation that passes on answers of models is called with every way to name a destination. */
const dispatchHeaders = (
  { path, replies, isShared }: Operation,
  world: World,
  { place }: Caller,
): Readonly<Record<string, string>> => {
  if (path.startsWith('/batches')) return batchHeaders(world, place);
  if (path.startsWith('/fine_tuning')) return world.random.oneIn(20) ? {} : { 'x-gw-virtual-key': 'lasting-tuning' };
  if (replies.default === undefined) return {};
  const config = anyName(world, place, '/configs');
  const virtualKey = anyName(world, place, '/virtual-keys');
  if (isShared && !world.random.oneIn(3)) return { 'x-gw-provider': 'gw' };
  return world.random.pick([
    {},
    {},
    { 'x-gw-provider': 'echo' },
    config === undefined ? {} : { 'x-gw-config': config },
    virtualKey === undefined ? {} : { 'x-gw-virtual-key': virtualKey },
  ]);
};

const toKind = (dice: number): Asked['kind'] => {
  if (dice < 88) return 'operation';
  return dice < 95 ? 'respelled' : 'method';
};

const sentBody = (operation: Operation, context: BodyContext): SentBody => {
  const { body } = operation;
  if (body === undefined) return needlessBody(context.world);
  // Some requests for a form have a body that is not a form.
  return body.isForm && !context.world.random.oneIn(10) ? formFor(context.world) : bodyFor(operation, context);
};

/** Generates the next request of a run. If some operations are wanted, half of the requests are for them. */
export const nextRequest = (api: Api, world: World, wanted: readonly Operation[] = []): Asked => {
  const { random } = world;
  const operation = random.pick(wanted.length > 0 && random.oneIn(2) ? wanted : api.weighted);
  const collection = toCollection(operation, api.collections);
  const caller = callerFor(world);
  const context = { world, place: caller.place, collection };
  const kind = toKind(random.below(100));
  const { path, query, name } = targetFor(operation, context);
  const { bytes, headers } = sentBody(operation, context);
  const request: ApiRequest = {
    method: kind === 'method' ? methodFor(api, operation, world) : operation.method,
    target: (kind === 'respelled' ? respelled(path, world) : `/v1${path}`) + query,
    headers: { ...strayHeaders(world), ...dispatchHeaders(operation, world, caller), ...headers, ...caller.headers },
    ...(bytes === undefined ? {} : { body: bytes }),
  };
  return { request, caller, collection, operation, kind, name };
};
