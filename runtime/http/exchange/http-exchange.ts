import type {
  ClientRequest,
  Exchange,
  KeptExchange,
  NamedVirtualModel,
  Principal,
  Route,
  ServedLabels,
  TenantId,
} from '../../../plugins/sdk/exchange/exchange.ts';
import { withoutNames } from '../../../plugins/sdk/http/header-lines.ts';
import type { RawHeaders, RequestBody } from '../../../plugins/sdk/http/http.ts';
import { toBuffer } from '../../../plugins/sdk/http/to-buffer.ts';
import { gatewayError } from '../../../schema/errors/errors.ts';
import { readTraceParent } from '../../../schema/http/trace-parent.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import type { Writable } from '../../../schema/json/writable.ts';
import type { Facts } from '../../../schema/plan/condition.ts';
import type { TrailEvent } from '../../../schema/trail/trail.ts';
import { CancellationSource } from '../../async/cancellation-source.ts';
import { withLines } from '../../engine/forwarded-headers/outgoing-headers.ts';
import type { GenerationRef } from '../../file-plans/generation.ts';
import type { ServedPlan } from '../../file-plans/served-plan.ts';
import { readJsonBytes } from '../../json-bodies/read/read-json-bytes.ts';
import type { RouteMatch } from '../../route-matching/route-match.ts';
import type { CallerHeaders } from '../headers/caller-headers.ts';
import type { Connection } from './connection.ts';
import { RequestFacts } from './request-facts.ts';
import { newTraceId, traceIdFrom } from './trace-id.ts';

// This is the only place that brands this id: without service keys, all callers are one tenant.
const soleTenant: Principal = { tenant: '' as TenantId };
const noBody: RequestBody = { kind: 'none' };
const noSecrets: readonly string[] = [];

/** The initial members of every exchange, however its request arrived. */
export interface ExchangeStart {
  readonly method: string;
  readonly match: RouteMatch;
  readonly headers: RawHeaders;
  /** The parsed headers. */
  readonly caller: CallerHeaders;
  readonly seed: number;
  /** Milliseconds on the monotonic clock. */
  readonly startedAt: number;
  /** Absent if the body is present from the start. */
  readonly connection?: Connection;
}

const passedThrough: Route = { operation: 'opaque' };

/** Whether a handshake at this path can open a WebSocket. */
export const hasSockets = ({ opensSession, answersMessages }: Route): boolean =>
  opensSession === true || answersMessages === true;

/** Returns the route of a request according to its headers. Only a handshake opens a WebSocket. */
const toRoute = (route: Route, caller: CallerHeaders): Route =>
  hasSockets(route) && !caller.asksForWebSocket ? passedThrough : routeOfBody(route, caller);

/**
 * Returns the route of a request according to its body. If the body is audio in place of a form, as some services accept it, it
 * has no members to read, and is passed through.
 */
const routeOfBody = (route: Route, { contentType = '' }: CallerHeaders): Route => {
  if (route.hasForms !== true || !/^\s*audio\//i.test(contentType)) return route;
  return { operation: 'opaque', ...(route.dialect === undefined ? {} : { dialect: route.dialect }) };
};

/** One request of a client. The body is received after admission. Everything else is read on first access. */
export class HttpExchange implements Exchange {
  readonly traceId: string;
  readonly route: Route;
  readonly request: Writable<ClientRequest>;
  readonly seed: number;
  readonly trail: TrailEvent[] = [];
  readonly labels: ServedLabels = {
    ...{ prompt: undefined, answeredAt: undefined, waits: undefined, queuedMs: undefined, background: undefined },
  };
  readonly cancellation: CancellationSource = new CancellationSource();
  readonly caller: CallerHeaders;
  readonly removed: readonly string[] | undefined;
  url: string;
  readonly startedAt: number;
  readonly connection: Connection | undefined;
  principal: Principal = soleTenant;
  withheld: readonly string[] | undefined;
  secrets: readonly string[] = noSecrets;
  /** The plan that serves it, once it is chosen. */
  plan: ServedPlan | undefined;
  virtualModel: NamedVirtualModel | undefined;
  /** Set for a request of a plugin that stores the answer. */
  kept: KeptExchange | undefined;
  formModel: string | null | undefined;
  isCounted = true;
  isDispatched = false;
  /** The generation of plans that it started with. */
  generationRef: GenerationRef | undefined;
  /** The exchange itself, even if a plugin passes on an object that has it as its prototype. */
  readonly self: HttpExchange = this;
  /** How many bytes of its body and of whole answers count against the memory budget. */
  heldBytes = 0;
  /** The tenant for which they count. */
  heldFor = '';
  private overs: (() => void)[] | undefined;
  private isOver = false;
  // Not #private, because a plugin may pass on an object that has this one as its prototype.
  private parsedFacts: Facts | undefined;
  private parsedBody: JsonObject | undefined;
  /** Parses the body, unless something else may have done it already. */
  private parse: (() => JsonObject) | undefined;

  constructor({ method, match, headers, caller, seed, startedAt, connection }: ExchangeStart) {
    const { removed, renamed, accepted } = caller;
    this.caller = caller;
    this.removed = removed;
    if (match.credential !== undefined) caller.overrides.credential ??= match.credential;
    if (match.problem !== undefined) caller.problem ??= match.problem;
    this.traceId =
      (caller.traceId === undefined
        ? undefined
        : traceIdFrom(caller.traceId, [caller.serviceKey, caller.overrides.credential])) ??
      (caller.traceParent === undefined ? undefined : readTraceParent(caller.traceParent)?.traceId) ??
      newTraceId();
    this.route = toRoute(match.route, caller);
    const lines = accepted === undefined ? headers : accepted.lines;
    const kept = removed === undefined ? lines : withoutNames(lines, removed);
    const sent = renamed === undefined ? kept : withLines(kept, renamed);
    this.request = { method, path: match.path, headers: sent, body: noBody };
    this.url = match.url;
    this.seed = seed;
    this.startedAt = startedAt;
    this.connection = connection;
  }

  get overrides(): CallerHeaders['overrides'] {
    return this.caller.overrides;
  }

  get facts(): Facts {
    this.parsedFacts ??= new RequestFacts(this);
    return this.parsedFacts;
  }

  /** Returns the body as a JSON object, if something has read it. */
  get readBody(): JsonObject | undefined {
    return this.parsedBody;
  }

  json(): JsonObject {
    this.parsedBody ??= this.parse === undefined ? parseBody(this.request.body) : this.parse();
    return this.parsedBody;
  }

  /** Calls `run` once when the exchange ends, or immediately if it has ended already. */
  whenOver(run: () => void): void {
    if (this.isOver) {
      run();
      return;
    }
    if (this.overs === undefined) this.overs = [];
    this.overs.push(run);
  }

  /** Called when its answer was sent, or its client has disconnected: what was opened for it ends. */
  end(): void {
    this.isOver = true;
    const { overs } = this;
    if (overs === undefined) return;
    this.overs = undefined;
    for (const run of overs) run();
  }

  /** Replaces the bytes of its body, from which everything is read again. */
  replaceBytes(bytes: Uint8Array): void {
    this.take({ kind: 'bytes', bytes }, undefined);
    this.parsedBody = undefined;
    this.parsedFacts = undefined;
  }

  /** Sets its body, with a function that parses it once. */
  take(body: RequestBody, parse: (() => JsonObject) | undefined): void {
    this.request.body = body;
    this.parse = parse;
  }
}

const parseBody = (body: RequestBody): JsonObject => {
  if (body.kind !== 'bytes')
    throw gatewayError('malformed-body', { reason: body.kind === 'none' ? 'it is empty.' : 'it is passed through.' });
  const value = readJsonBytes(toBuffer(body.bytes));
  if (!isJsonObject(value)) throw gatewayError('malformed-body', { reason: 'it is not an object.' });
  return value;
};
