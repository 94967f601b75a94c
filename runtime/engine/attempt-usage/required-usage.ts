import type { Dialect, Frame, StreamEncoder } from '../../../plugins/sdk/dialect/dialect.ts';
import type { Answer, AnswerEvent, AnswerEventOf } from '../../../schema/conversation/answer.ts';
import type { Usage } from '../../../schema/conversation/conversation.ts';
import { mergedUsage } from '../../../schema/conversation/merged-usage.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { UsageMeter } from '../../usage/usage-meter.ts';
import type { LeafCall } from '../call/leaf-call.ts';
import type { AskedTranslation } from '../target/translation.ts';
import { upstreamDialect } from '../target/upstream-dialect.ts';
import { askedBytes } from './asked-bytes.ts';

const isCounted = (usage: Usage | undefined): boolean => usage !== undefined && usage.missing === undefined;

const isInputCounted = (usage: Usage | undefined): boolean =>
  usage !== undefined && usage.missing?.includes('input') !== true;

/** Counts a stream whose client must receive usage, in addition to its consumer's meter. */
export const requiredMeter = (translation: AskedTranslation): UsageMeter | undefined =>
  translation.kind === 'translate' && translation.client.usageRequired !== undefined
    ? new UsageMeter(translation.upstream)
    : undefined;

/** Counts a stream that may continue elsewhere, because its client then receives the usage of all of it. */
export const continuationMeter = (translation: AskedTranslation): UsageMeter =>
  new UsageMeter(upstreamDialect(translation));

export interface TranslatedAnswer {
  readonly client: Dialect;
  readonly upstream: Dialect;
  /** As the provider sent it. */
  readonly original: JsonObject;
  /** The meter that has read it. Absent if nothing consumes usage. */
  readonly meter: UsageMeter | undefined;
}

/** Returns the usage of a whole answer, with the gateway's estimate of what the provider has not reported. */
export const countedUsage = (
  call: LeafCall,
  { upstream, original, meter: reading }: Omit<TranslatedAnswer, 'client'>,
): Usage => {
  const meter = reading ?? new UsageMeter(upstream);
  if (reading === undefined) meter.body(original);
  return meter.usage({ requestBytes: () => askedBytes(call) });
};

/** Adds the gateway's estimate to an answer if the client's dialect requires counts that the provider has not reported. */
export const withRequiredUsage = (call: LeafCall, answer: Answer, { client, ...counting }: TranslatedAnswer): Answer =>
  client.usageRequired === undefined || isCounted(answer.usage)
    ? answer
    : { ...answer, usage: countedUsage(call, counting) };

/** Does the same for a stream. Its meter receives each event before the encoder. */
class RequiredUsageEncoder implements StreamEncoder {
  readonly #encoder: StreamEncoder;
  readonly #estimate: () => Usage;
  readonly #isAtStart: boolean;
  #stated: Usage | undefined;
  /** Whether the start has been written, or does not need usage. */
  #isBegun: boolean;
  #hasEnded = false;

  constructor(encoder: StreamEncoder, { estimate, isAtStart }: { estimate: () => Usage; isAtStart: boolean }) {
    this.#encoder = encoder;
    this.#estimate = estimate;
    this.#isAtStart = isAtStart;
    this.#isBegun = !isAtStart;
  }

  push(event: AnswerEvent): readonly Frame[] {
    switch (event.kind) {
      case 'start':
        return this.#start(event);
      case 'usage':
        this.#stated = mergedUsage(this.#stated, event.usage);
        return this.#encoder.push(event);
      case 'end':
        return [...this.#begin(), ...this.#last(), ...this.#encoder.push(event)];
      case 'finish':
      case 'error':
      case 'extension':
        return this.#encoder.push(event);
      default:
        // Usually begun: no list is created for each event.
        return this.#isBegun ? this.#encoder.push(event) : [...this.#begin(), ...this.#encoder.push(event)];
    }
  }

  fail(report: Parameters<StreamEncoder['fail']>[0]): readonly Frame[] {
    return this.#encoder.fail(report);
  }

  end(): readonly Frame[] {
    return [...this.#begin(), ...this.#last(), ...this.#encoder.end()];
  }

  /** Starts an answer whose provider has sent content before its start, or without one. */
  #begin(): readonly Frame[] {
    return this.#isBegun ? [] : this.#start({ kind: 'start', id: '', model: '' });
  }

  #start(event: AnswerEventOf<'start'>): readonly Frame[] {
    this.#isBegun = true;
    this.#stated ??= event.usage;
    const given = this.#isAtStart && !isInputCounted(event.usage) ? { ...event, usage: this.#estimate() } : event;
    return this.#encoder.push(given);
  }

  /** Encodes what comes before the end. */
  #last(): readonly Frame[] {
    if (this.#hasEnded || isCounted(this.#stated)) return [];
    this.#hasEnded = true;
    return this.#encoder.push({ kind: 'usage', usage: this.#estimate() });
  }
}

/**
 * Writes usage into a stream for the client. It is estimated if the client's dialect requires it and the provider reported none.
 */
export const requiringUsage = (
  call: LeafCall,
  encoder: StreamEncoder,
  { client, meter }: { readonly client: Dialect; readonly meter: UsageMeter | undefined },
): StreamEncoder => {
  const { usageRequired } = client;
  if (usageRequired === undefined || meter === undefined) return encoder;
  const estimate = () => meter.usage({ requestBytes: () => askedBytes(call) });
  return new RequiredUsageEncoder(encoder, { estimate, isAtStart: usageRequired === 'at-start' });
};
