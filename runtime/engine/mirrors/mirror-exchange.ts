import type {
  CallerOverrides,
  ClientRequest,
  CopiedRequest,
  Exchange,
  NamedVirtualModel,
  Principal,
  Route,
  ServedLabels,
  ServingPlan,
} from '../../../plugins/sdk/exchange/exchange.ts';
import { mirrorLabel } from '../../../plugins/sdk/exchange/identified-metadata.ts';
import type { Cancellation } from '../../../plugins/sdk/http/http.ts';
import { toBuffer } from '../../../plugins/sdk/http/to-buffer.ts';
import { hexIds } from '../../../plugins/sdk/logs/hex-ids.ts';
import { gatewayError } from '../../../schema/errors/errors.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { type JsonPointer, toOptionPath } from '../../../schema/json/pointer.ts';
import type { Facts } from '../../../schema/plan/condition.ts';
import type { TrailEvent } from '../../../schema/trail/trail.ts';
import { readJsonBytes } from '../../json-bodies/read/read-json-bytes.ts';

const newTraceId = hexIds(16);

export interface MirrorExchangeOptions {
  /** The node that the mirror belongs to. */
  readonly path: JsonPointer;
  readonly cancellation: Cancellation;
  readonly answerText: string | undefined;
  /** In milliseconds on the monotonic clock. */
  readonly startedAt: number;
}

/** The parts of a request that its copy needs, so that the request itself and its connection are not kept alive. */
export interface CopySource {
  readonly traceId: string;
  readonly principal: Principal;
  readonly withheld: readonly string[] | undefined;
  readonly removed: readonly string[] | undefined;
  readonly route: Route;
  readonly request: ClientRequest;
  readonly overrides: CallerOverrides;
  readonly prompt: string | undefined;
  readonly plan: ServingPlan | undefined;
  readonly virtualModel: NamedVirtualModel | undefined;
  readonly metadata: JsonObject;
  readonly url: string;
  readonly secrets: readonly string[];
  readonly seed: number;
  readonly isCounted: boolean;
  readonly isDispatched: boolean;
}

/** Returns the parts of a request that its copy needs. `sent` is the request as its last leaf sent it, after its checks. */
export const copySource = (exchange: Exchange, sent: Exchange): CopySource => {
  const { method, path, headers } = exchange.request;
  return {
    traceId: exchange.traceId,
    principal: exchange.principal,
    withheld: exchange.withheld,
    removed: exchange.removed,
    route: exchange.route,
    request: { method, path, headers, body: sent.request.body },
    overrides: exchange.overrides,
    prompt: exchange.labels?.prompt,
    plan: exchange.plan,
    virtualModel: exchange.virtualModel,
    metadata: exchange.facts.metadata,
    url: exchange.url ?? path,
    secrets: exchange.secrets,
    seed: exchange.seed,
    isCounted: exchange.isCounted !== false,
    isDispatched: exchange.isDispatched === true,
  };
};

/** A copy of a request. No client has sent it. */
export class MirrorExchange implements Exchange {
  readonly traceId: string = newTraceId();
  readonly principal: Principal;
  readonly withheld: readonly string[] | undefined;
  readonly removed: readonly string[] | undefined;
  readonly route: Route;
  readonly request: ClientRequest;
  readonly overrides: CallerOverrides;
  readonly labels: ServedLabels;
  readonly plan: ServingPlan | undefined;
  readonly virtualModel: NamedVirtualModel | undefined;
  readonly facts: Facts;
  readonly secrets: readonly string[];
  readonly seed: number;
  readonly startedAt: number;
  readonly trail: TrailEvent[] = [];
  readonly url: string;
  readonly isCounted: boolean;
  readonly isDispatched: boolean;
  readonly mirrorOf: CopiedRequest;
  readonly cancellation: Cancellation;
  // Not #private, because a stage may pass on an object that has this one as its prototype.
  private parsed: JsonObject | undefined;

  constructor(source: CopySource, { path, cancellation, answerText, startedAt }: MirrorExchangeOptions) {
    this.principal = source.principal;
    this.withheld = source.withheld;
    this.removed = source.removed;
    this.route = source.route;
    this.request = source.request;
    this.overrides = source.overrides;
    this.labels = { prompt: source.prompt };
    this.plan = source.plan;
    this.virtualModel = source.virtualModel;
    this.secrets = source.secrets;
    this.seed = source.seed;
    this.startedAt = startedAt;
    this.url = source.url;
    this.isCounted = source.isCounted;
    this.isDispatched = source.isDispatched;
    this.mirrorOf = { traceId: source.traceId, path, answerText };
    this.cancellation = cancellation;
    const { virtualModel, url } = source;
    const params = (): JsonObject => this.json();
    this.facts = {
      metadata: { ...source.metadata, [mirrorLabel]: toOptionPath(path) },
      get params() {
        return params();
      },
      plan: virtualModel && { model: virtualModel.standsFor },
      url: { pathname: url.split('?', 1)[0] ?? url },
    };
  }

  get readBody(): JsonObject | undefined {
    return this.parsed;
  }

  json(): JsonObject {
    this.parsed ??= this.parse();
    return this.parsed;
  }

  private parse(): JsonObject {
    const { body } = this.request;
    const value = body.kind === 'bytes' ? readJsonBytes(toBuffer(body.bytes)) : undefined;
    if (isJsonObject(value)) return value;
    throw gatewayError('malformed-body', { reason: 'it is not an object.' });
  }
}
