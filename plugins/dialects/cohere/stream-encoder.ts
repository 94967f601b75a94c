import type { AnswerEvent, Finish, Usage } from '../../../schema/conversation.ts';
import { type ErrorReport, errorReport } from '../../../schema/errors.ts';
import type { EncodeAnswer, Frame, StreamEncoder } from '../../sdk/dialect.ts';
import { defined } from '../wire/defined.ts';
import { jsonFrame } from '../wire/json-frame.ts';
import { BlockWriter } from './block-writer.ts';
import { encodeStreamError, encodeStreamWireError } from './errors.ts';
import { encodeFinish } from './finish-reasons.ts';
import { encodeUsage } from './usage.ts';

const none: readonly Frame[] = [];

/** https://docs.cohere.com/reference/chat-stream. The format has one answer: the first choice. */
class CohereStreamEncoder implements StreamEncoder {
  readonly #id: string;
  readonly #blocks = new BlockWriter();
  #started = false;
  #closed = false;
  /** Sent at the end, together with the usage, which may arrive after it. */
  #finish: Finish | undefined;
  #usage: Usage | undefined;

  constructor({ id }: EncodeAnswer) {
    this.#id = id ?? 'gw-cohere';
  }

  push(event: AnswerEvent): readonly Frame[] {
    if (this.#closed) return none;
    switch (event.kind) {
      case 'start':
        this.#usage = event.usage;
        return this.#start(event.id);
      case 'finish':
        if (event.choice === 0) this.#finish = event.finish;
        return none;
      case 'usage':
        this.#usage = { ...this.#usage, ...event.usage };
        return none;
      case 'error':
        this.#closed = true;
        return [encodeStreamWireError(event.error)];
      case 'end':
        return this.end();
      default:
        return event.choice === 0 ? [...this.#start(''), ...this.#blocks.push(event)] : none;
    }
  }

  fail(report: ErrorReport): readonly Frame[] {
    if (this.#closed) return none;
    this.#closed = true;
    return [encodeStreamError(report)];
  }

  /** Ends the message only if the answer has finished; otherwise the stream was cut. */
  end(): readonly Frame[] {
    if (this.#closed) return none;
    if (this.#finish === undefined) return this.fail(errorReport('stream-cut', {}));
    this.#closed = true;
    const usage = this.#usage === undefined ? undefined : encodeUsage(this.#usage);
    const delta = defined({ finish_reason: encodeFinish(this.#finish), usage });
    return [...this.#start(''), ...this.#blocks.end(), jsonFrame({ type: 'message-end', delta }, 'message-end')];
  }

  #start(id: string): readonly Frame[] {
    if (this.#started) return none;
    this.#started = true;
    const message = { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] };
    return [jsonFrame({ id: id === '' ? this.#id : id, type: 'message-start', delta: { message } }, 'message-start')];
  }
}

export const streamEncoder = (options: EncodeAnswer): StreamEncoder => new CohereStreamEncoder(options);
