import type { Exchange, TenantId } from '../../../plugins/sdk/exchange.ts';
import type { CheckedRequest, CheckedTarget, CheckInput } from '../../../plugins/sdk/guardrail.ts';
import type { Cancellation } from '../../../plugins/sdk/http.ts';
import { type Unwatched, unwatched } from '../../../plugins/sdk/unwatched.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { slugModel } from '../../../schema/slug-model.ts';
import type { CheckPhase } from '../../../schema/trail.ts';
import type { LeafCall } from '../leaf-call.ts';
import type { CheckedPart } from './checked-part.ts';

/** Whose request or answer is judged, and when. */
export interface Subject {
  readonly phase: CheckPhase;
  readonly call: LeafCall;
  /** Nobody waits for the verdict, so the client's leaving does not end the check. */
  readonly isBackground: boolean;
}

/** What is noted while a check looks at its input. */
export interface Watch {
  cancellation(): Cancellation;
  /** The check looked at what may differ from one target to the next. */
  looksAtTarget(): void;
}

/** The model that is called, by the path or the body, without the slug of the provider that the target calls. */
const modelOf = ({ route }: Exchange, { params, pathModel }: CheckedPart): string | undefined => {
  const named = pathModel ?? route.model ?? params.model;
  return typeof named === 'string' ? (slugModel(named)?.model ?? named) : undefined;
};

/**
 * The input of a check. What costs something, or tells what the verdict depends on, is made when it is read. Its accessors
 * are the same functions for all inputs, and its own, so that a copy by spreading has what they give: V8 makes what holds
 * an object's own functions in its old generation, where it would keep the whole request.
 */
class LazyInput {
  static readonly #accessors: PropertyDescriptorMap & ThisType<LazyInput> = {
    request: {
      enumerable: true,
      get() {
        this.#watch.looksAtTarget();
        return this.#request();
      },
    },
    target: {
      enumerable: true,
      get() {
        this.#watch.looksAtTarget();
        return this.#target();
      },
    },
    cancellation: {
      enumerable: true,
      get() {
        return this.#watch.cancellation();
      },
    },
  };

  readonly phase: CheckPhase;
  readonly text: string;
  readonly spans: CheckInput['spans'];
  readonly metadata: JsonObject;
  readonly tenant: TenantId;
  declare readonly answer?: JsonObject;
  declare readonly request: CheckedRequest;
  declare readonly target: CheckedTarget;
  declare readonly cancellation: Cancellation;
  readonly #call: LeafCall;
  readonly #part: CheckedPart;
  readonly #watch: Watch;

  constructor({ phase, call }: Subject, part: CheckedPart, watch: Watch) {
    const { exchange } = call;
    this.phase = phase;
    this.text = part.text;
    this.spans = part.spans;
    this.metadata = exchange.facts.metadata;
    this.tenant = exchange.principal.tenant;
    if (part.answer !== undefined) this.answer = part.answer;
    this.#call = call;
    this.#part = part;
    this.#watch = watch;
    Object.defineProperties(this, LazyInput.#accessors);
  }

  get [unwatched](): Unwatched {
    return { request: this.#request(), target: this.#target(), looksAtTarget: () => this.#watch.looksAtTarget() };
  }

  #request(): CheckedRequest {
    const { request, route } = this.#call.exchange;
    const { operation, dialect = '' } = route;
    return { json: this.#part.params, headers: request.headers, dialect, operation };
  }

  #target(): CheckedTarget {
    const { exchange, target } = this.#call;
    const model = modelOf(exchange, this.#part);
    return { provider: target.provider.id, ...(model === undefined ? {} : { model }) };
  }
}

export const checkInput = (subject: Subject, part: CheckedPart, watch: Watch): CheckInput =>
  new LazyInput(subject, part, watch);
