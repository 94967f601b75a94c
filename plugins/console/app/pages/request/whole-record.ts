import type { LogRecord } from '../live/log-record.ts';

export interface Attempt {
  readonly path: string;
  readonly target: string;
  /** From 1, in its leaf. */
  readonly attempt: number;
  readonly status: number;
  readonly origin: string;
  readonly key?: number;
  readonly cause?: string;
  readonly slug?: string;
  readonly provider?: string;
  /** Milliseconds after the head of the request. */
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
  /** Its checks; `erred` where one failed with an error and did not judge. */
  readonly checks?: readonly { readonly id: string; readonly erred?: boolean }[];
  readonly ms?: number;
}

/** An event of the trail, whose members depend on its kind. */
export interface TrailStep {
  readonly kind: string;
  readonly path?: string;
  readonly [member: string]: unknown;
}

/** A request as `GET /logs/{id}` shows it. */
export interface WholeRecord extends LogRecord {
  readonly prompt_slug?: string | null;
  /** The place of the target that answered. */
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
