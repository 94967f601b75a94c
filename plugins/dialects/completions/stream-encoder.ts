import type { AnswerEvent, AnswerEventOf } from '../../../schema/conversation/answer.ts';
import type { Usage } from '../../../schema/conversation/conversation.ts';
import { mergedUsage } from '../../../schema/conversation/merged-usage.ts';
import { type ErrorReport, errorReport } from '../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { EncodeAnswer, Frame, StreamEncoder } from '../../sdk/dialect/dialect.ts';
import { encodeUsage } from '../chat/answer/usage.ts';
import { encodeStreamError, encodeStreamWireError } from '../chat/parts/errors.ts';
import { jsonFrame } from '../shared/answer/json-frame.ts';
import { encodeTextFinish } from './encode-finish.ts';

const none: readonly Frame[] = [];

/** Writes a text completion as chunks, for a stream of another dialect, or for one in which a stage has replaced something. */
export class CompletionsEncoder implements StreamEncoder {
  readonly #options: EncodeAnswer;
  #head: JsonObject;
  /** The choices that have begun → whether they have finished. */
  readonly #choices = new Map<number, boolean>();
  #usage: Usage | undefined;
  #closed = false;

  constructor(options: EncodeAnswer) {
    this.#options = options;
    const { id = 'gw-completion', created = 0 } = options;
    this.#head = { id, object: 'text_completion', created, model: '' };
  }

  push(event: AnswerEvent): readonly Frame[] {
    if (this.#closed) return none;
    switch (event.kind) {
      case 'start':
        this.#start(event);
        return none;
      case 'text':
      case 'refusal':
        this.#choices.set(event.choice, this.#choices.get(event.choice) ?? false);
        return [this.#chunk({ index: event.choice, text: event.text, logprobs: null, finish_reason: null })];
      case 'finish': {
        const reason = encodeTextFinish(event.finish, this.#options);
        this.#choices.set(event.choice, true);
        return [this.#chunk({ index: event.choice, text: '', logprobs: null, finish_reason: reason })];
      }
      case 'usage':
        this.#usage = mergedUsage(this.#usage, event.usage);
        return none;
      case 'error':
        this.#closed = true;
        return [encodeStreamWireError(event.error)];
      case 'end':
        return this.end();
      default:
        return none;
    }
  }

  fail(report: ErrorReport): readonly Frame[] {
    if (this.#closed) return none;
    this.#closed = true;
    return [encodeStreamError(report)];
  }

  /** Sends [DONE] only if every choice that began has finished; otherwise the stream was cut. */
  end(): readonly Frame[] {
    if (this.#closed) return none;
    const finished = [...this.#choices.values()];
    if (finished.length === 0 || finished.includes(false)) return this.fail(errorReport('stream-cut', {}));
    this.#closed = true;
    const usage = this.#options.streamUsage ? this.#usage : undefined;
    const counts = usage === undefined ? [] : [jsonFrame({ ...this.#head, choices: [], usage: encodeUsage(usage) })];
    return [...counts, { data: '[DONE]' }];
  }

  #start({ id, model, created, usage }: AnswerEventOf<'start'>): void {
    if (usage !== undefined) this.#usage = mergedUsage(this.#usage, usage);
    // All chunks have the same id, even if the provider starts late or twice.
    if (this.#choices.size > 0) return;
    this.#head = {
      ...this.#head,
      ...(id === '' ? {} : { id }),
      ...(created === undefined ? {} : { created }),
      model,
    };
  }

  #chunk(choice: JsonObject): Frame {
    return jsonFrame({ ...this.#head, choices: [choice] });
  }
}
