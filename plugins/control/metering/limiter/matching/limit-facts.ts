import type { JsonObject } from '../../../../../schema/json/json.ts';
import type { LimitedAttempt } from '../../../../sdk/control-plane/limiter.ts';
import type { Exchange } from '../../../../sdk/exchange/exchange.ts';
import { endpointType } from './endpoint-type.ts';

/** What policies can ask of the target of an attempt. */
export type TargetFacts = Pick<LimitedAttempt, 'provider' | 'slug' | 'model'>;

/** What policies can ask of a request. */
export interface LimitFacts {
  /** The id of the service key. */
  readonly key?: string;
  /** The ids of the keys whose limits it shares, the outermost first. */
  readonly sharesLimitsOf?: readonly string[] | undefined;
  readonly workspace: string;
  readonly organisation: string;
  /** The name of the plan. */
  readonly config?: string;
  readonly metadata: JsonObject;
  /** The slug of the stored prompt, once it is known. */
  readonly prompt?: string | undefined;
  readonly endpointType: string;
  /** Absent before a target is chosen. */
  readonly target?: TargetFacts;
}

interface Caller {
  readonly workspace: string;
  readonly organisation: string;
  /** The name of the plan that serves the request. */
  readonly config?: string | undefined;
}

/** The facts of one request; each is read when a policy asks for it. */
export class RequestLimitFacts implements LimitFacts {
  readonly workspace: string;
  readonly organisation: string;
  readonly config?: string;
  readonly key?: string;
  target?: TargetFacts;
  readonly exchange: Exchange;
  #endpointType: string | undefined;

  constructor(exchange: Exchange, { workspace, organisation, config }: Caller) {
    const { keyId } = exchange.principal;
    this.exchange = exchange;
    this.workspace = workspace;
    this.organisation = organisation;
    if (config !== undefined) this.config = config;
    if (keyId !== undefined) this.key = keyId;
  }

  get sharesLimitsOf(): readonly string[] | undefined {
    return this.exchange.principal.sharesLimitsOf;
  }

  get metadata(): JsonObject {
    return this.exchange.facts.metadata;
  }

  get prompt(): string | undefined {
    const { labels } = this.exchange;
    if (labels?.prompt !== undefined) return labels.prompt;
    const _prompt = this.exchange.principal.defaults?.metadata?._prompt;
    return typeof _prompt === 'string' ? _prompt : undefined;
  }

  get endpointType(): string {
    this.#endpointType ??= endpointType(this.exchange);
    return this.#endpointType;
  }
}
