import type { AnswerEvent, AnswerEventOf, WireError } from '../../../../schema/conversation/answer.ts';
import type { Usage } from '../../../../schema/conversation/conversation.ts';
import { mergedUsage } from '../../../../schema/conversation/merged-usage.ts';
import { type ErrorReport, errorReport } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { EncodeAnswer, Frame, StreamEncoder } from '../../../sdk/dialect/dialect.ts';
import { jsonFrame } from '../../shared/answer/json-frame.ts';
import { defined } from '../../shared/json/defined.ts';
import { encodeStreamError, encodeStreamWireError } from '../parts/errors.ts';
import { type ChoiceChunk, ChoiceEncoder, type ChoiceEvent } from './choice-encoder.ts';
import { type ClientForm, toClientForm } from './finish-reasons.ts';
import { encodeUsage } from './usage.ts';

const none: readonly Frame[] = [];
const done: Frame = { data: '[DONE]' };

/** https://platform.openai.com/docs/api-reference/chat-streaming */
class ChatStreamEncoder implements StreamEncoder {
  readonly #options: EncodeAnswer;
  readonly #form: ClientForm;
  /** Choices whose role chunk has been sent. */
  readonly #choices = new Map<number, ChoiceEncoder>();
  #id: string;
  #model = '';
  #created: number;
  #usage: Usage | undefined;
  #closed = false;

  constructor(options: EncodeAnswer) {
    this.#options = options;
    this.#id = options.id ?? 'gw-chat';
    this.#created = options.created ?? 0;
    this.#form = toClientForm(options);
  }

  push(event: AnswerEvent): readonly Frame[] {
    if (this.#closed) return none;
    switch (event.kind) {
      case 'start':
        return this.#start(event);
      case 'usage':
        this.#usage = mergedUsage(this.#usage, event.usage);
        return none;
      case 'error':
        return this.#failWith(event.error);
      case 'end':
        return this.end();
      case 'extension':
        return event.choice === undefined ? this.#found(event) : this.#push(event, event.choice);
      default:
        return this.#push(event, event.choice);
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
    const choices = [...this.#choices.values()];
    if (choices.length === 0 || choices.some(({ finished }) => !finished))
      return this.fail(errorReport('stream-cut', {}));
    this.#closed = true;
    return [...this.#usageFrames(), done];
  }

  #usageFrames(): readonly Frame[] {
    if (!this.#options.streamUsage || this.#usage === undefined) return none;
    const usage = encodeUsage(this.#usage);
    return [jsonFrame(defined({ ...this.#head(), choices: [], usage, service_tier: this.#usage.tier }) as JsonObject)];
  }

  #failWith(error: WireError): readonly Frame[] {
    this.#closed = true;
    return [encodeStreamWireError(error)];
  }

  #start(event: AnswerEventOf<'start'>): readonly Frame[] {
    if (event.usage !== undefined) this.#usage = mergedUsage(this.#usage, event.usage);
    // All chunks have the same id, even if the provider starts twice.
    if (this.#choices.size > 0) return none;
    if (event.id !== '') this.#id = event.id;
    if (event.created !== undefined) this.#created = event.created;
    this.#model = event.model;
    return this.#begin(0);
  }

  #head(): JsonObject {
    const { provider } = this.#options;
    return { id: this.#id, object: 'chat.completion.chunk', created: this.#created, model: this.#model, provider };
  }

  #chunk(index: number, { delta, logprobs = null, finish }: ChoiceChunk): Frame {
    return jsonFrame({ ...this.#head(), choices: [{ index, delta, logprobs, finish_reason: finish ?? null }] });
  }

  #begin(choice: number): readonly Frame[] {
    if (this.#choices.has(choice)) return none;
    this.#choices.set(choice, new ChoiceEncoder(this.#form));
    return [this.#chunk(choice, { delta: { role: 'assistant', content: '' } })];
  }

  /** Clients expect a choice in each chunk. */
  #found({ dialect, value }: AnswerEventOf<'extension'>): readonly Frame[] {
    if (dialect !== 'chat') return none;
    const choices = [{ index: 0, delta: {}, finish_reason: null }];
    return [jsonFrame({ ...this.#head(), choices, ...value })];
  }

  #push(event: ChoiceEvent, choice: number): readonly Frame[] {
    const chunks = (): readonly ChoiceChunk[] => this.#choices.get(choice)?.push(event) ?? [];
    return [...this.#begin(choice), ...chunks().map((chunk) => this.#chunk(choice, chunk))];
  }
}

export const streamEncoder = (options: EncodeAnswer): StreamEncoder => new ChatStreamEncoder(options);
