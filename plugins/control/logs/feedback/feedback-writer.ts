import { isJsonObject, type JsonObject } from '../../../../schema/json/json.ts';
import type { Clock } from '../../../sdk/clock.ts';
import type { Exchange } from '../../../sdk/exchange/exchange.ts';
import type { JudgedHook } from '../../../sdk/hooks/hook-result.ts';
import { RowWriter, type RowWriterOptions } from '../writer/row-writer.ts';
import { type FeedbackRow, feedbackRow, feedbackValues, feedbackWeights } from './feedback-row.ts';

/** The maximum length of stored metadata, in characters. */
const longestMetadata = 4096;
const longestTrace = 255;

const within = (value: number, { min, max }: { readonly min: number; readonly max: number }): number =>
  Math.min(max, Math.max(min, value));

const keptMetadata = (metadata: unknown): JsonObject =>
  isJsonObject(metadata) && JSON.stringify(metadata).length <= longestMetadata ? metadata : {};

/**
 * Stores the feedback that guardrails are configured to give on the trace of the request that they checked. This includes
 * guardrails in the background, whose results no response shows. It is written in the background.
 */
export class FeedbackWriter extends RowWriter<FeedbackRow> {
  readonly #clock: Clock;

  constructor(options: Omit<RowWriterOptions<FeedbackRow>, 'insert'>) {
    super({
      ...options,
      insert: (log, rows) => log.write((writing) => writing.insertInto('log_feedback').values(rows).execute()),
    });
    this.#clock = options.clock;
  }

  /** Takes the feedback of a guardrail if it has a value. */
  take({ result: { feedback } }: Pick<JudgedHook, 'result'>, { principal, traceId }: Exchange): void {
    const { workspace } = principal;
    const { value, weight, metadata } = feedback ?? {};
    if (workspace === undefined || typeof value !== 'number' || !this.hasRoom(1)) return;
    const given = {
      trace_id: traceId.slice(0, longestTrace),
      value: Math.round(within(value, feedbackValues)),
      ...(typeof weight === 'number' ? { weight: within(weight, feedbackWeights) } : {}),
      metadata: keptMetadata(metadata),
    };
    this.add(feedbackRow({ tenant: workspace, key: undefined, at: this.#clock.wall() }, given));
  }
}
