import type { LogRecord } from '../live/log-record.ts';

export interface Attempt {
  readonly path: string;
  readonly target: string;
  /** The number of the attempt in its leaf, starting at 1. */
  readonly attempt: number;
  readonly status: number;
  readonly origin: string;
  readonly key?: number;
  readonly cause?: string;
  readonly slug?: string;
  readonly provider?: string;
  /** Milliseconds after the head of the client's request. */
  readonly sent_ms?: number;
  readonly first_byte_ms?: number;
  readonly last_byte_ms?: number;
  readonly usage?: {
    readonly kind: string;
    readonly model: string;
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly cost_nano_usd?: number;
  };
}

export interface Check {
  readonly id?: string;
  readonly phase?: string;
  readonly verdict?: boolean;
  readonly deny?: boolean;
  /** The checks; `erred` is true if one failed with an error and gave no verdict. */
  readonly checks?: readonly { readonly id: string; readonly erred?: boolean }[];
  readonly ms?: number;
}

/** An event of the trail. Its members depend on its kind. */
export interface TrailStep {
  readonly kind: string;
  readonly path?: string;
  readonly [member: string]: unknown;
}

/** A request, as `GET /logs/{id}` returns it. */
export interface WholeRecord extends LogRecord {
  readonly prompt_slug?: string | null;
  /** The path of the target that answered. */
  readonly leaf?: string | null;
  readonly attempts: readonly Attempt[];
  readonly checks: readonly Check[];
  readonly trail: readonly TrailStep[];
  readonly feedback?: readonly { readonly id: string; readonly value: number; readonly weight: number }[];
  readonly plan_model?: string;
  readonly stream?: boolean;
  readonly error?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly request?: { readonly body: unknown };
  readonly response?: { readonly body: unknown };
}
