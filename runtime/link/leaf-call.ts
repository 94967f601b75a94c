import type { Dialect } from '../../plugins/sdk/dialect.ts';
import type { Exchange } from '../../plugins/sdk/exchange.ts';
import type { GatewayResponse, LeafReport } from '../../plugins/sdk/http.ts';
import type { ErrorReport } from '../../schema/errors.ts';
import type { LeafNode } from '../../schema/plan.ts';
import type { Origin } from '../../schema/status.ts';
import type { OutgoingCall } from './attempt/outgoing-call.ts';
import type { HookResult } from './checks/hook-result.ts';
import { errorResponse } from './error-response.ts';
import type { Run } from './run.ts';
import type { PreparedTarget } from './target/prepared-target.ts';

/** One visit of a leaf by one run: what its stages and attempts share. */
export class LeafCall {
  readonly run: Run;
  readonly exchange: Exchange;
  readonly leaf: LeafNode;
  readonly target: PreparedTarget;
  /** The client's; absent where the request is passed through. */
  readonly dialect: Dialect | undefined;
  /** Sends so far. */
  attempts = 0;
  /** The request as it goes out, made for the first attempt and sent again by the others. */
  outgoing: OutgoingCall | undefined;
  /** What the input checks found, where any ran. */
  inputResults: readonly HookResult[] | undefined;
  /** What the output checks found in the last answer. */
  outputResults: readonly HookResult[] | undefined;

  constructor(
    run: Run,
    leaf: LeafNode,
    parts: { readonly target: PreparedTarget; readonly dialect: Dialect | undefined },
  ) {
    this.run = run;
    this.exchange = run.exchange;
    this.leaf = leaf;
    this.target = parts.target;
    this.dialect = parts.dialect;
  }

  /** What the answer headers say; `retries` counts those that were sent. */
  get report(): LeafReport {
    return {
      path: this.leaf.path,
      provider: this.target.provider.id,
      retries: Math.max(0, this.attempts - 1),
      cache: 'DISABLED',
    };
  }

  /** An error of the gateway's own, as this leaf's answer. */
  refuse(report: ErrorReport, options: { readonly origin?: Origin } = {}): GatewayResponse {
    return errorResponse(report, { ...options, dialect: this.dialect, leaf: this.report });
  }
}

/** A part of a leaf's work: a stage around what lies inside it, or the attempt itself. */
export type LeafStep = (call: LeafCall) => Promise<GatewayResponse>;
