import type { AnswerEvent, Finish, Usage, WireError } from '../../../schema/conversation.ts';
import { type ErrorReport, errorReport } from '../../../schema/errors.ts';
import type { JsonObject } from '../../../schema/json.ts';
import type { EncodeAnswer, Frame, StreamEncoder } from '../../sdk/dialect.ts';
import { jsonFrame } from '../wire/json-frame.ts';
import { reasoningDelta } from './content-blocks.ts';
import { encodeStreamError, encodeWireError } from './errors.ts';
import { encodeFinish } from './finish-reasons.ts';
import { encodeUsage } from './usage.ts';

const none: readonly Frame[] = [];
const done: Frame = { data: '[DONE]' };

type Delta = Exclude<AnswerEvent, { readonly kind: 'start' | 'finish' | 'usage' | 'error' | 'end' }>;

/** https://platform.openai.com/docs/api-reference/chat-streaming */
class ChatStreamEncoder implements StreamEncoder {
  readonly #options: EncodeAnswer;
  /** Choices whose role chunk has been sent. */
  readonly #begun = new Set<number>();
  readonly #unfinished = new Set<number>();
  /** Choice → block → index of the tool call. */
  readonly #calls = new Map<number, Map<number, number>>();
  #id: string;
  #model = '';
  #created: number;
  #usage: Usage | undefined;
  #closed = false;

  constructor(options: EncodeAnswer) {
    this.#options = options;
    this.#id = options.id ?? 'gw-chat';
    this.#created = options.created ?? 0;
  }

  push(event: AnswerEvent): readonly Frame[] {
    if (this.#closed) return none;
    switch (event.kind) {
      case 'start':
        return this.#start(event);
      case 'finish':
        return [...this.#begin(event.choice), this.#finish(event.choice, event.finish)];
      case 'usage':
        this.#usage = { ...this.#usage, ...event.usage };
        return none;
      case 'error':
        return this.#failWith(event.error);
      case 'end':
        return this.end();
      default:
        return this.#delta(event);
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
    if (this.#begun.size === 0 || this.#unfinished.size > 0) return this.fail(errorReport('stream-cut', {}));
    this.#closed = true;
    const usage = this.#options.streamUsage && this.#usage !== undefined ? encodeUsage(this.#usage) : undefined;
    const last = usage === undefined ? none : [jsonFrame({ ...this.#head(), choices: [], usage })];
    return [...last, done];
  }

  #failWith(error: WireError): readonly Frame[] {
    this.#closed = true;
    return [jsonFrame(encodeWireError(error, error.status ?? 502))];
  }

  #start(event: Extract<AnswerEvent, { kind: 'start' }>): readonly Frame[] {
    if (event.id !== '') this.#id = event.id;
    if (event.created !== undefined) this.#created = event.created;
    this.#model = event.model;
    this.#usage = event.usage;
    return this.#begin(0);
  }

  #head(): JsonObject {
    const { provider } = this.#options;
    return { id: this.#id, object: 'chat.completion.chunk', created: this.#created, model: this.#model, provider };
  }

  #chunk(index: number, delta: JsonObject, finish: string | null = null): Frame {
    return jsonFrame({ ...this.#head(), choices: [{ index, delta, logprobs: null, finish_reason: finish }] });
  }

  #begin(choice: number): readonly Frame[] {
    if (this.#begun.has(choice)) return none;
    this.#begun.add(choice);
    this.#unfinished.add(choice);
    return [this.#chunk(choice, { role: 'assistant', content: '' })];
  }

  #finish(choice: number, finish: Finish): Frame {
    this.#unfinished.delete(choice);
    return this.#chunk(choice, {}, encodeFinish(finish, this.#options.strict));
  }

  #delta(event: Delta): readonly Frame[] {
    const delta = this.#deltaOf(event);
    return delta === undefined ? none : [...this.#begin(event.choice), this.#chunk(event.choice, delta)];
  }

  #deltaOf(event: Delta): JsonObject | undefined {
    switch (event.kind) {
      case 'text':
        return { content: event.text, ...this.#block(event.block, { text: event.text }) };
      case 'refusal':
        return { refusal: event.text };
      case 'reasoning': {
        return this.#options.strict ? undefined : this.#block(event.block, reasoningDelta(event));
      }
      case 'tool-call':
        return this.#callDelta(event, {
          id: event.id,
          type: 'function',
          function: { name: event.name, arguments: '' },
        });
      case 'tool-arguments':
        return this.#callDelta(event, { function: { arguments: event.text } });
      default:
        return undefined;
    }
  }

  /** Only non-strict clients get blocks. */
  #block(index: number, delta: JsonObject): JsonObject {
    return this.#options.strict ? {} : { content_blocks: [{ index, delta }] };
  }

  #callDelta({ choice, block }: { choice: number; block: number }, piece: JsonObject): JsonObject {
    const calls = this.#calls.get(choice) ?? new Map<number, number>();
    this.#calls.set(choice, calls);
    const index = calls.get(block) ?? calls.size;
    calls.set(block, index);
    return { tool_calls: [{ index, ...piece }] };
  }
}

export const streamEncoder = (options: EncodeAnswer): StreamEncoder => new ChatStreamEncoder(options);
