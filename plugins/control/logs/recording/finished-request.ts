import type { RoutingPlan } from '../../../../schema/plan/plan.ts';
import type { JudgedHook } from '../../../sdk/hooks/hook-result.ts';
import type { LeafReport, RawHeaders } from '../../../sdk/http/http.ts';
import type { RequestFacts } from '../../../sdk/logs/request-line.ts';
import type { RequestProblem } from '../../../sdk/logs/request-problem.ts';

/** What is kept of the bodies of one request. */
export interface LoggedBodies {
  /** Undefined for what passed through. */
  readonly request: Uint8Array | undefined;
  readonly response: Uint8Array | undefined;
}

/** A request that has ended, as the hook saw it: references to what the gateway has anyway. */
export interface FinishedRequest {
  /** When its answer has ended, in milliseconds since the epoch. */
  readonly at: number;
  readonly line: RequestFacts;
  readonly problem: RequestProblem | undefined;
  readonly organisation: string;
  readonly workspace: string;
  readonly operation: string;
  readonly plan: RoutingPlan | undefined;
  readonly leaf: LeafReport | undefined;
  readonly prompt: string | undefined;
  /** As the client named it. */
  readonly requestedModel: string | undefined;
  readonly judged: readonly JudgedHook[];
  /** Those of the allow-list. */
  readonly headers: RawHeaders;
  /** The answer of a provider that is an error. */
  readonly errorBody: Uint8Array | undefined;
  /** What the caller sent as credentials, which no text of the record may have. */
  readonly callerSecrets: readonly string[];
  readonly bodies: LoggedBodies | undefined;
}
