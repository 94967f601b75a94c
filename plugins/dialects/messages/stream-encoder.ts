import type { AnswerEvent, Finish, Usage } from '../../../schema/conversation.ts';
import { type ErrorReport, errorReport } from '../../../schema/errors.ts';
import type { EncodeAnswer, Frame, StreamEncoder } from '../../sdk/dialect.ts';
import type { BlockEvent } from '../wire/block-event.ts';
import { jsonFrame } from '../wire/json-frame.ts';
import { BlockEncoder } from './block-encoder.ts';
import { encodeStreamError, encodeWireError } from './errors.ts';
import { encodeFinish } from './finish-reasons.ts';
import { encodeUsage } from './usage.ts';

const none: readonly Frame[] = [];

/** https://docs.anthropic.com/en/docs/build-with-claude/streaming. The format has one answer: the first choice. */
class MessagesStreamEncoder implements StreamEncoder {
  readonly #options: EncodeAnswer;
  readonly #blocks = new BlockEncoder();
  #started = false;
  #closed = false;
  #refused = false;
  /** Sent at the end, together with the usage, which may arrive after it. */
  #finish: Finish | undefined;
  #usage: Usage | undefined;

  constructor(options: EncodeAnswer) {
    this.#options = options;
  }

  push(event: AnswerEvent): readonly Frame[] {
    if (this.#closed) return none;
    switch (event.kind) {
      case 'start':
        return this.#start(event);
      case 'finish':
        if (event.choice === 0) this.#finish = event.finish;
        return none;
      case 'usage':
        this.#usage = { ...this.#usage, ...event.usage };
        return none;
      case 'error':
        this.#closed = true;
        return [jsonFrame(encodeWireError(event.error, event.error.status ?? 502), 'error')];
      case 'end':
        return this.end();
      default:
        return event.choice === 0 ? this.#block(event) : none;
    }
  }

  fail(report: ErrorReport): readonly Frame[] {
    if (this.#closed) return none;
    this.#closed = true;
    return [encodeStreamError(report)];
  }

  /** Sends message_stop only if the answer has finished; otherwise the stream was cut. */
  end(): readonly Frame[] {
    if (this.#closed) return none;
    if (this.#finish === undefined) return this.fail(errorReport('stream-cut', {}));
    this.#closed = true;
    const delta = encodeFinish(this.#finish, this.#refused);
    return [
      ...this.#start({ kind: 'start', id: '', model: '' }),
      ...this.#blocks.end(),
      jsonFrame({ type: 'message_delta', delta: { ...delta }, usage: encodeUsage(this.#usage) }, 'message_delta'),
      jsonFrame({ type: 'message_stop' }, 'message_stop'),
    ];
  }

  #start({ id, model, usage }: Extract<AnswerEvent, { kind: 'start' }>): readonly Frame[] {
    if (this.#started) return none;
    this.#started = true;
    this.#usage = usage;
    const message = {
      id: id === '' ? (this.#options.id ?? 'gw-message') : id,
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: encodeUsage(usage),
    };
    return [jsonFrame({ type: 'message_start', message }, 'message_start')];
  }

  #block(event: BlockEvent): readonly Frame[] {
    if (event.kind === 'refusal') this.#refused = true;
    return [...this.#start({ kind: 'start', id: '', model: '' }), ...this.#blocks.push(event)];
  }
}

export const streamEncoder = (options: EncodeAnswer): StreamEncoder => new MessagesStreamEncoder(options);
