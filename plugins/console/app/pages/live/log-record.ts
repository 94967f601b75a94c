import { nanoPerUsd } from '../../../../../schema/usage/usage-record.ts';
/** The problem of a request, and what to do. */
export interface LogProblem {
  readonly cause: string;
  readonly target?: string;
  readonly path?: string;
  readonly attempt?: number;
  readonly about?: string;
  readonly hint?: string;
}

/** A request, as `GET /logs` and its events return it. */
export interface LogRecord {
  readonly id: string;
  /** Unix time in seconds. */
  readonly created_at: number;
  readonly time: string;
  readonly trace_id: string;
  readonly key_id: string | null;
  readonly config: string | null;
  readonly plan: string | null;
  readonly method: string;
  readonly path: string;
  readonly operation: string;
  readonly target: string | null;
  readonly provider: string | null;
  readonly slug: string | null;
  readonly requested_model: string | null;
  readonly model: string | null;
  readonly status: number;
  readonly cause: string | null;
  readonly end: 'complete' | 'left' | 'cut';
  readonly is_success: boolean;
  readonly ms: number;
  readonly attempt_count: number;
  readonly retry_count: number;
  readonly fell_back: boolean;
  readonly total_tokens: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost_nano_usd: number;
  readonly cache_status: string | null;
  readonly problem: LogProblem | null;
  readonly source: 'gateway' | 'sent';
  readonly metadata: Readonly<Record<string, string>>;
}

/** A page of `GET /logs`. */
export interface LogPage {
  readonly data: readonly LogRecord[];
  readonly has_more: boolean;
  readonly last_id: string | null;
}

export const toUsd = ({ cost_nano_usd }: Pick<LogRecord, 'cost_nano_usd'>): number => cost_nano_usd / nanoPerUsd;
