import { withoutServiceKeys } from '../../../../schema/credentials/without-service-keys.ts';
import type { Operation } from '../../../sdk/exchange/exchange.ts';
import type { UnreadAnswer } from '../../../sdk/hooks/unread-answer.ts';

/**
 * A record of a request or an attempt for the thread. Times are in milliseconds of the runtime's clock. Unknown values are null.
 */
export type TelemetryRecord = AttemptRecord | RequestRecord | OverheadRecord;

/** A record that may have a span. */
export type SpanRecord = AttemptRecord | RequestRecord;

/** A record as it is written. For some attempts, the thread itself reads what they used. */
export type WrittenRecord = TelemetryRecord | UnreadRecord;

/** The facts of an attempt that has ended, whatever the answer. */
export interface AttemptFacts {
  /** Null if it has no span. */
  readonly place: SpanPlace | null;
  readonly isMeasured: boolean;
  /** Whether the names in its plan are the caller's. */
  readonly isCallers: boolean;
  readonly operation: Operation;
  readonly provider: string;
  /** The provider's name in public price lists. */
  readonly listedAs: string;
  /** `https://host[:port]`. */
  readonly origin: string;
  readonly path: string;
  readonly target: string;
  readonly attempt: number;
  readonly startedAt: number;
  readonly endedAt: number;
  /** The status of the upstream. */
  readonly status: number | null;
  /** `error.type`. */
  readonly error: string | null;
}

/** An attempt that has ended. */
export interface AttemptRecord extends AttemptFacts {
  readonly kind: 'attempt';
  readonly askedModel: string | null;
  /** Why its stream failed after it had started. */
  readonly streamFailure: string | null;
  /** The model that answered. Empty if unknown. */
  readonly model: string;
  readonly usage: UsedTokens | null;
  readonly finishReasons: readonly string[] | null;
}

/** An attempt with its request and answer, from which the thread reads the models, usage and finish reasons. */
export interface UnreadRecord {
  readonly kind: 'unread';
  readonly facts: AttemptFacts;
  readonly unread: Pick<UnreadAnswer, 'dialect' | 'request' | 'answer'>;
}

/** A request whose answer has ended. */
export interface RequestRecord {
  readonly kind: 'request';
  readonly place: SpanPlace;
  /** The name that the client gives to the span. */
  readonly spanName: string | null;
  readonly method: string;
  readonly scheme: 'http' | 'https';
  readonly path: string;
  readonly endpoint: string;
  /** The id in `x-gw-trace-id`. */
  readonly gatewayTraceId: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly status: number;
  readonly cause: string | null;
  readonly plan: string | null;
  readonly cacheStatus: string | null;
  /** The similarity of the question that the cache found, or of the nearest one. */
  readonly cacheSimilarity: number | null;
  readonly events: readonly EventRecord[];
}

/** The time that the gateway itself took until a request's answer was available. */
export interface OverheadRecord {
  readonly kind: 'overhead';
  /** The plan's name in metrics. The plans of callers share one name. */
  readonly plan: string;
  readonly endpoint: string;
  readonly ms: number;
}

/** The ids of a span. */
export interface SpanPlace {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | null;
  /** The client's `tracestate`. */
  readonly state: string | null;
}

export interface EventRecord {
  readonly name: string;
  readonly at: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

/** Tokens, and the cost in billionths of a US dollar. */
export interface UsedTokens {
  /** Null, as all tokens are, if only the cost is known. */
  readonly input: number | null;
  readonly output: number | null;
  readonly cacheRead: number | null;
  readonly cacheWritten: number | null;
  readonly reasoning: number | null;
  readonly nanoUsd: number | null;
}

/** The maximum length of texts that callers and providers choose. Longer ones are truncated. */
export const longestValue = 256;

/** Truncates such a text, and removes service keys that were put into it by mistake. */
export const chosenText = (text: string): string => withoutServiceKeys(text).slice(0, longestValue);
