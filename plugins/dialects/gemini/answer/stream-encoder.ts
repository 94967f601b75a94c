import type { AnswerEvent } from '../../../../schema/conversation/answer.ts';
import type { Usage } from '../../../../schema/conversation/conversation.ts';
import { mergedUsage } from '../../../../schema/conversation/merged-usage.ts';
import { type ErrorReport, errorReport } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { EncodeAnswer, Frame, StreamEncoder } from '../../../sdk/dialect/dialect.ts';
import { jsonFrame } from '../../shared/answer/json-frame.ts';
import { encodeStreamError, encodeStreamWireError } from '../parts/errors.ts';
import { ChoiceEncoder } from './choice-encoder.ts';
import { answerHead } from './encode-answer.ts';
import { encodeBlock } from './finish-reasons.ts';
import { encodeLogprobs } from './logprobs.ts';
import { encodeUsage } from './usage.ts';

const none: readonly Frame[] = [];

/** A refused prompt has no candidates. */
const blockedPrompt = ([choice, ...more]: readonly ChoiceEncoder[]): JsonObject | undefined =>
  choice?.finish?.reason === 'blocked-prompt' && !choice.hasParts && more.length === 0
    ? { promptFeedback: encodeBlock(choice.finish) }
    : undefined;

/** Writes frames of `GenerateContentResponse`. The last one has the finish reasons and the usage; nothing else marks the end. */
class GeminiStreamEncoder implements StreamEncoder {
  readonly #options: EncodeAnswer;
  readonly #choices = new Map<number, ChoiceEncoder>();
  #head: JsonObject;
  #usage: Usage | undefined;
  #closed = false;

  constructor(options: EncodeAnswer) {
    this.#options = options;
    this.#head = answerHead({ id: '', model: '' }, options);
  }

  push(event: AnswerEvent): readonly Frame[] {
    if (this.#closed) return none;
    switch (event.kind) {
      case 'start':
        this.#head = answerHead(event, this.#options);
        this.#usage = event.usage;
        return none;
      case 'finish':
        return this.#frame(event.choice, this.#choiceAt(event.choice).finishWith(event.finish));
      case 'usage':
        this.#usage = mergedUsage(this.#usage, event.usage);
        return none;
      case 'extension':
        if (event.choice !== undefined && event.dialect === 'gemini') this.#choiceAt(event.choice).extend(event.value);
        return none;
      case 'logprobs':
        return [this.#candidates([{ index: event.choice, ...encodeLogprobs(event.logprobs) }])];
      case 'error':
        this.#closed = true;
        return [encodeStreamWireError(event.error)];
      case 'end':
        return this.end();
      default:
        return this.#frame(event.choice, this.#choiceAt(event.choice).push(event));
    }
  }

  fail(report: ErrorReport): readonly Frame[] {
    if (this.#closed) return none;
    this.#closed = true;
    return [encodeStreamError(report)];
  }

  /** Sends the finish reasons only if every choice that began has its own. Otherwise the stream was cut. */
  end(): readonly Frame[] {
    if (this.#closed) return none;
    const choices = [...this.#choices.values()];
    if (choices.length === 0 || choices.some(({ finish }) => finish === undefined))
      return this.fail(errorReport('stream-cut', {}));
    this.#closed = true;
    const rest = [...this.#choices].flatMap(([index, choice]) => this.#frame(index, choice.takeCalls()));
    const usage = this.#usage === undefined ? {} : { usageMetadata: encodeUsage(this.#usage) };
    const last = blockedPrompt(choices) ?? { candidates: choices.map((choice) => choice.last()) };
    return [...rest, jsonFrame({ ...last, ...usage, ...this.#head })];
  }

  #choiceAt(index: number): ChoiceEncoder {
    const known = this.#choices.get(index);
    if (known !== undefined) return known;
    const choice = new ChoiceEncoder(index);
    this.#choices.set(index, choice);
    return choice;
  }

  #frame(index: number, parts: readonly JsonObject[]): readonly Frame[] {
    return parts.length === 0 ? none : [this.#candidates([{ content: { role: 'model', parts }, index }])];
  }

  #candidates(candidates: readonly JsonObject[]): Frame {
    return jsonFrame({ candidates, ...this.#head });
  }
}

export const streamEncoder = (options: EncodeAnswer): StreamEncoder => new GeminiStreamEncoder(options);
