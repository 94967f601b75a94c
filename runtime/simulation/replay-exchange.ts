import { Readable } from 'node:stream';
import type { Dialect } from '../../plugins/sdk/dialect/dialect.ts';
import { operations } from '../../plugins/sdk/exchange/operations.ts';
import type { Conversation } from '../../schema/conversation/conversation.ts';
import { GatewayError, gatewayError } from '../../schema/errors/errors.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import type { RoutingPlan } from '../../schema/plan/plan.ts';
import type { RequestScript } from '../../schema/trail/request-script.ts';
import { isEditable } from '../engine/call/edit-opaque.ts';
import { paramEdits } from '../engine/call/param-edits.ts';
import { unknownRoute } from '../http/answer/unknown-route.ts';
import type { Clients } from '../http/exchange/clients.ts';
import { type ExchangeStart, HttpExchange } from '../http/exchange/http-exchange.ts';
import { madeUpSlots } from './recorded-keys.ts';

const text = 'Hello.';

const conversation: Conversation = {
  model: 'replay',
  system: [],
  turns: [{ role: 'user', parts: [{ kind: 'text', text }] }],
  tools: [],
  sampling: { maxTokens: 16 },
  stream: false,
  extensions: {},
};

const target = { provider: 'replay', strict: true, drop: new Set<string>(), scope: '' } as const;

/**
 * Returns a valid body in a dialect, for scripts without one. Without a codec, returns one of embeddings and text completions.
 */
const plainRequest = (dialect: Dialect | undefined, stream: boolean): JsonObject => {
  const encoded = dialect?.conversation?.encodeRequest({ ...conversation, stream }, target);
  if (encoded !== undefined) return encoded.body;
  const isStream = stream && operations[dialect?.operation ?? 'opaque'].mayStream;
  return { model: 'replay', prompt: text, input: text, ...(isStream ? { stream } : {}) };
};

/** Header values are ASCII, so other characters are written as JSON escapes. */
const headerJson = (value: JsonObject): string =>
  JSON.stringify(value).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Returns a body as it comes from a connection: it can be read only once. */
const toStream = (bytes: Buffer): Readable => {
  const stream = new Readable({ read: () => {} });
  stream.push(bytes);
  stream.push(null);
  return stream;
};

/** A request whose body turns out to be invalid JSON once its trail has this many events. */
class MalformedExchange extends HttpExchange {
  private readonly events: number;

  constructor(start: ExchangeStart, events: number) {
    super(start);
    this.events = events;
  }

  override json(): JsonObject {
    if (this.trail.length >= this.events) throw gatewayError('malformed-body', { reason: 'as it was recorded.' });
    return super.json();
  }
}

/** Sets the model of a body that names one, because a list of allowed models reads it. */
const withModel = (body: JsonObject, model: string | undefined): JsonObject =>
  model === undefined || body.model === undefined ? body : { ...body, model };

const hasBody = (method: string): boolean => method !== 'GET' && method !== 'HEAD';

export interface ReplayedBy {
  readonly clients: Clients;
  readonly dialects: ReadonlyMap<string, Dialect>;
  readonly plan: Pick<RoutingPlan, 'readsParams' | 'targets'>;
  /** When the request arrives, in milliseconds on the monotonic clock. Default: 0. */
  readonly now?: number;
}

/** A time in milliseconds so late on a replay's clock that a deadline passes only if the script says so. */
const farAway = Number.MAX_SAFE_INTEGER / 2;

/** Returns the script's request as the server would see it. If it has no credential, one is made up. */
export const replayExchange = (
  {
    method,
    path,
    headers,
    metadata,
    body,
    model,
    planModel,
    stream = false,
    once,
    empty = false,
    seed,
    ...script
  }: RequestScript,
  { clients, dialects, plan: { readsParams, targets }, now = 0 }: ReplayedBy,
): HttpExchange => {
  const match = clients.match(method, path);
  if (match === undefined) throw new GatewayError(unknownRoute(path.split('?', 1)[0] ?? path));
  const raw = [
    ...(Object.keys(metadata).length === 0 ? [] : ['x-gw-metadata', headerJson(metadata)]),
    ...Object.entries(headers).flat(),
    'authorization',
    'Bearer replay',
    'content-type',
    'application/json',
  ];
  const caller = clients.readHeaders(raw);
  const { malformed = false, recorded = [], deadlinePasses } = script;
  const startedAt = deadlinePasses === undefined ? now : farAway;
  const start: ExchangeStart = { method, match, headers: raw, caller, seed, startedAt };
  const exchange = malformed ? new MalformedExchange(start, recorded.length) : new HttpExchange(start);
  // A replay has no prices. The answers of leaves that refused because of their cost are recorded.
  delete caller.overrides.maxCostUsd;
  exchange.secrets = madeUpSlots({ targets });
  if (exchange.caller.problem !== undefined) throw exchange.caller.problem;
  if (planModel !== undefined) exchange.virtualModel = { name: model ?? planModel, standsFor: planModel };
  const dialect = dialects.get(match.route.dialect ?? '');
  // Two branches were called only because their providers stored nothing.
  const kept = dialect?.id === 'responses' && recorded.some(({ kind }) => kind === 'hedged') ? { store: false } : {};
  const bytes = Buffer.from(
    typeof body === 'string'
      ? body
      : JSON.stringify(body ?? { ...withModel(plainRequest(dialect, match.route.stream ?? stream), model), ...kept }),
  );
  const edits = isEditable(method) && targets.some((target) => paramEdits(target) !== undefined);
  const streams = once ?? (match.route.operation === 'opaque' && body !== undefined && !readsParams && !edits);
  if (streams || (hasBody(method) && !empty))
    exchange.request.body = streams ? { kind: 'stream', stream: toStream(bytes) } : { kind: 'bytes', bytes };
  return exchange;
};
