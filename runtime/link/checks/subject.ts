import type { Exchange } from '../../../plugins/sdk/exchange.ts';
import type { CheckedRequest, CheckedTarget } from '../../../plugins/sdk/guardrail.ts';
import type { Cancellation } from '../../../plugins/sdk/http.ts';
import { unwatched, type WatchedInput } from '../../../plugins/sdk/unwatched.ts';
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

/** The input of a check. What costs something, or tells what the verdict depends on, is made when it is read. */
export const checkInput = ({ phase, call }: Subject, part: CheckedPart, watch: Watch): WatchedInput => {
  const { exchange, target } = call;
  const { params, answer, text, spans } = part;
  const request = (): CheckedRequest => {
    const { operation, dialect = '' } = exchange.route;
    return { json: params, headers: exchange.request.headers, dialect, operation };
  };
  const called = (): CheckedTarget => {
    const model = modelOf(exchange, part);
    return { provider: target.provider.id, ...(model === undefined ? {} : { model }) };
  };
  return {
    phase,
    text,
    spans,
    metadata: exchange.facts.metadata,
    tenant: exchange.principal.tenant,
    get request() {
      watch.looksAtTarget();
      return request();
    },
    get target() {
      watch.looksAtTarget();
      return called();
    },
    get [unwatched]() {
      return { request: request(), target: called(), looksAtTarget: () => watch.looksAtTarget() };
    },
    ...(answer === undefined ? {} : { answer }),
    get cancellation() {
      return watch.cancellation();
    },
  };
};
