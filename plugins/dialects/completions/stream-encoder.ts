import type { AnswerEvent, AnswerEventOf } from '../../../schema/conversation/answer.ts';
import type { Usage } from '../../../schema/conversation/conversation.ts';
import { mergedUsage } from '../../../schema/conversation/merged-usage.ts';
import type { ErrorReport } from '../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { EncodeAnswer, Frame, StreamEncoder } from '../../sdk/dialect/dialect.ts';
import { encodeFinish } from '../chat/answer/finish-reasons.ts';
import { encodeUsage } from '../chat/answer/usage.ts';
import { encodeStreamError, encodeStreamWireError } from '../chat/parts/errors.ts';
import { jsonFrame } from '../shared/answer/json-frame.ts';

const none: readonly Frame[] = [];

/** Writes a text completion as chunks, for a stream of another dialect, or for one in which a stage has replaced something. */
export class CompletionsEncoder implements StreamEncoder {
  readonly #options: EncodeAnswer;
  #head: JsonObject;
  #usage: Usage | undefined;
  #closed = false;

  constructor(options: EncodeAnswer) {
    this.#options = options;
    this.#head = { id: options.id ?? 'gw-completion', object: 'text_completion', created: options.created ?? 0 };
  }

  push(event: AnswerEvent): readonly Frame[] {
    if (this.#closed) return none;
    switch (event.kind) {
      case 'start':
        this.#start(event);
        return none;
      case 'text':
      case 'refusal':
        return [this.#chunk({ index: event.choice, text: event.text, logprobs: null, finish_reason: null })];
      case 'finish': {
        const reason = encodeFinish(event.finish, this.#options);
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

  end(): readonly Frame[] {
    if (this.#closed) return none;
    this.#closed = true;
    const usage = this.#options.streamUsage ? this.#usage : undefined;
    const counts = usage === undefined ? [] : [jsonFrame({ ...this.#head, choices: [], usage: encodeUsage(usage) })];
    return [...counts, { data: '[DONE]' }];
  }

  #start({ id, model, created }: AnswerEventOf<'start'>): void {
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
