import type { Exchange, TenantId } from '../../../plugins/sdk/exchange/exchange.ts';
import type { CheckedRequest, CheckedTarget, CheckInput } from '../../../plugins/sdk/guardrail/guardrail.ts';
import { type Unwatched, unrecordedParts } from '../../../plugins/sdk/guardrail/unrecorded-parts.ts';
import type { Cancellation } from '../../../plugins/sdk/http/http.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { slugModel } from '../../../schema/text/slug-model.ts';
import type { CheckPhase } from '../../../schema/trail/trail.ts';
import type { TakeMemory } from '../../upstream/held-memory.ts';
import type { LeafCall } from '../call/leaf-call.ts';
import type { CheckedPart } from '../guardrail-verdicts/checked-part.ts';
import { ReadRequest } from './read-request.ts';

/** The request or answer that is judged, and its phase. */
export interface Subject {
  readonly phase: CheckPhase;
  readonly call: LeafCall;
  /** Whether nobody waits for the verdict. If so, the check continues when the client disconnects. */
  readonly isBackground: boolean;
  /** Reserves memory for what its checks receive. Default: that of the request. */
  readonly takeMemory?: TakeMemory;
}

/** Records whether a check used something that may differ between targets. */
export class TargetWatch {
  isOfTarget = false;

  recordTargetRead(): void {
    this.isOfTarget = true;
  }
}

/** The parts of an input that are the check's own. */
export interface CheckOwn {
  readonly cancellation: Cancellation;
  /** Absent if it makes no difference what the check uses. */
  readonly watch: TargetWatch | undefined;
}

/** Returns the model that is called, from the path or the body, without the slug of the target's provider. */
const findModel = ({ route }: Exchange, { params, pathModel }: CheckedPart): string | undefined => {
  const named = pathModel ?? route.model ?? params.model;
  return typeof named === 'string' ? (slugModel(named)?.model ?? named) : undefined;
};

const toRequest = ({ call }: Subject, { params }: CheckedPart): CheckedRequest => {
  const { request, route } = call.exchange;
  const { operation, dialect = '' } = route;
  return new ReadRequest({ json: params, headers: request.headers, dialect, operation }, call.readDialect);
};

const toTarget = ({ call }: Subject, part: CheckedPart): CheckedTarget => {
  const provider = call.target.provider.id;
  const model = findModel(call.exchange, part);
  return model === undefined ? { provider } : { provider, model };
};

type Accessor = PropertyDescriptor & ThisType<WatchedInput>;

/**
 * An input that records whether its check uses the request or the target. Its accessors are the same functions for all inputs,
 * and own properties, so that a copy by spreading has their values. V8 would allocate an object with its own functions in the old
 * generation, where it would keep the whole request alive.
 */
class WatchedInput {
  static readonly #request: Accessor = {
    enumerable: true,
    get() {
      this.#watch.recordTargetRead();
      return toRequest(this.#subject, this.#part);
    },
  };
  static readonly #target: Accessor = {
    enumerable: true,
    get() {
      this.#watch.recordTargetRead();
      return toTarget(this.#subject, this.#part);
    },
  };

  readonly phase: CheckPhase;
  readonly text: string;
  readonly spans: CheckInput['spans'];
  readonly metadata: JsonObject;
  readonly tenant: TenantId;
  readonly cancellation: Cancellation;
  declare readonly answer?: JsonObject;
  declare readonly reference?: string;
  declare readonly request: CheckedRequest;
  declare readonly target: CheckedTarget;
  readonly #subject: Subject;
  readonly #part: CheckedPart;
  readonly #watch: TargetWatch;

  constructor(
    subject: Subject,
    part: CheckedPart,
    { cancellation, watch }: CheckOwn & { readonly watch: TargetWatch },
  ) {
    const { exchange } = subject.call;
    this.phase = subject.phase;
    this.text = part.text;
    this.spans = part.spans;
    this.metadata = exchange.facts.metadata;
    this.tenant = exchange.principal.tenant;
    this.cancellation = cancellation;
    if (part.answer !== undefined) this.answer = part.answer;
    const reference = exchange.mirrorOf?.answerText;
    if (reference !== undefined) this.reference = reference;
    this.#subject = subject;
    this.#part = part;
    this.#watch = watch;
    Object.defineProperty(this, 'request', WatchedInput.#request);
    Object.defineProperty(this, 'target', WatchedInput.#target);
  }

  get [unrecordedParts](): Unwatched {
    return {
      request: toRequest(this.#subject, this.#part),
      target: toTarget(this.#subject, this.#part),
      readsTarget: () => this.#watch.recordTargetRead(),
    };
  }
}

export const checkInput = (subject: Subject, part: CheckedPart, { cancellation, watch }: CheckOwn): CheckInput => {
  if (watch !== undefined) return new WatchedInput(subject, part, { cancellation, watch });
  const { phase, call } = subject;
  const input = {
    phase,
    text: part.text,
    spans: part.spans,
    metadata: call.exchange.facts.metadata,
    tenant: call.exchange.principal.tenant,
    request: toRequest(subject, part),
    target: toTarget(subject, part),
    cancellation,
  };
  const reference = call.exchange.mirrorOf?.answerText;
  const compared = reference === undefined ? input : { ...input, reference };
  return part.answer === undefined ? compared : { ...compared, answer: part.answer };
};
