import type { TextReading } from '../../../plugins/sdk/dialect/text-span.ts';
import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import type { Framing } from '../../../plugins/sdk/framings/framing.ts';
import type { StreamStageFactory } from '../../../plugins/sdk/hooks/hooks.ts';
import type { UpstreamBody } from '../../../plugins/sdk/http/http.ts';
import type { ErrorReport } from '../../../schema/errors/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { UsageMeter } from '../../usage/usage-meter.ts';
import type { AttemptUsage } from '../attempt-usage/attempt-usage.ts';
import type { AttemptScope } from '../call/attempt-scope.ts';
import type { StreamedTranslation } from '../target/translation.ts';
import type { LinkedStreamChecks } from './link-stream-checks.ts';

/** The stages that plugins add to every stream. */
export interface PluginStages {
  readonly factories: readonly StreamStageFactory[];
  /** Reports to the operator that a stage has failed. Returns the error that ends the stream. */
  failed(error: unknown, exchange: Exchange): ErrorReport;
}

/** An upstream's answer that is a stream, and how to read it. */
export interface StreamedAnswer {
  /** The upstream's headers, without hop-by-hop and framing headers. */
  readonly headers: readonly string[];
  /** The upstream's. */
  readonly framing: Framing;
  readonly body: UpstreamBody;
  readonly translation: StreamedTranslation;
  readonly strict: boolean;
  readonly streamUsage: boolean;
  readonly scope: AttemptScope;
  readonly clock: Clock;
  /** How many milliseconds of silence end an answer that has begun. */
  readonly idleMs: number;
  /** Reserves memory for bytes that are held back. Absent if there is no shared limit. */
  readonly takeMemory: ((bytes: number) => boolean) | undefined;
  /** The largest frame, in bytes, for frames that may be images or audio. */
  readonly mediaBytes?: number;
  readonly stages: PluginStages;
  /** The output checks of the leaf. */
  readonly checks: LinkedStreamChecks | undefined;
  /** How checks read it. */
  readonly reading: TextReading;
  /** Absent if nothing consumes it. */
  readonly usage: AttemptUsage | undefined;
  /**
   * Counts what the stream uses: the meter of `usage`, or one for a client that must receive usage. Absent if neither needs it.
   */
  readonly meter: UsageMeter | undefined;
}
