import type { AnswerEvent, Finish, Usage } from '../../../schema/conversation.ts';
import { type ErrorReport, errorReport } from '../../../schema/errors.ts';
import type { Frame, StreamEncoder } from '../../sdk/dialect.ts';
import type { BlockEvent } from '../wire/block-event.ts';
import { jsonFrame } from '../wire/json-frame.ts';
import { BlockEncoder } from './block-encoder.ts';
import { encodeStreamError, encodeStreamWireError } from './errors.ts';
import { encodeFinish } from './finish-reasons.ts';
import { unknownMetrics } from './latency.ts';
import { encodeUsage } from './usage.ts';

const none: readonly Frame[] = [];

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html. The format has one answer: the first choice. */
class ConverseStreamEncoder implements StreamEncoder {
  readonly #blocks = new BlockEncoder();
  #started = false;
  #closed = false;
  #refused = false;
  /** Sent at the end, together with the usage, which may arrive after it. */
  #finish: Finish | undefined;
  #usage: Usage | undefined;

  push(event: AnswerEvent): readonly Frame[] {
    if (this.#closed) return none;
    switch (event.kind) {
      case 'start':
        this.#usage = event.usage;
        return this.#start();
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
        return event.choice === 0 ? this.#block(event) : none;
    }
  }

  fail(report: ErrorReport): readonly Frame[] {
    if (this.#closed) return none;
    this.#closed = true;
    return [encodeStreamError(report)];
  }

  /** Sends messageStop only if the answer has finished; otherwise the stream was cut. */
  end(): readonly Frame[] {
    if (this.#closed) return none;
    if (this.#finish === undefined) return this.fail(errorReport('stream-cut', {}));
    this.#closed = true;
    return [
      ...this.#start(),
      ...this.#blocks.end(),
      jsonFrame(encodeFinish(this.#finish, this.#refused), 'messageStop'),
      jsonFrame({ ...encodeUsage(this.#usage), ...unknownMetrics }, 'metadata'),
    ];
  }

  #start(): readonly Frame[] {
    if (this.#started) return none;
    this.#started = true;
    return [jsonFrame({ role: 'assistant' }, 'messageStart')];
  }

  #block(event: BlockEvent): readonly Frame[] {
    if (event.kind === 'refusal') this.#refused = true;
    return [...this.#start(), ...this.#blocks.push(event)];
  }
}

export const streamEncoder = (): StreamEncoder => new ConverseStreamEncoder();
