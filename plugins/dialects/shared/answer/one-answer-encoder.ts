import type { AnswerEvent, AnswerEventOf, Finish, WireError } from '../../../../schema/conversation/answer.ts';
import type { Usage } from '../../../../schema/conversation/conversation.ts';
import { mergedUsage } from '../../../../schema/conversation/merged-usage.ts';
import { type ErrorReport, errorReport } from '../../../../schema/errors/errors.ts';
import type { Frame, StreamEncoder } from '../../../sdk/dialect/dialect.ts';
import type { BlockEvent } from './block-event.ts';

export type StartEvent = AnswerEventOf<'start'>;

/** How an answer ended. It is reported in the last frames together with the usage, which may come after it. */
export interface AnswerEnding {
  readonly finish: Finish;
  /** Whether the answer contains a refusal. */
  readonly refused: boolean;
  readonly usage: Usage | undefined;
}

/** Writes the frames of a format whose streams have one answer, the first choice. */
export interface OneAnswerFormat {
  /** Called once, before all others. An answer may begin without an id and a model. */
  start(event: StartEvent): readonly Frame[];
  block(event: BlockEvent): readonly Frame[];
  end(ending: AnswerEnding): readonly Frame[];
  /** Writes a provider's error. The other method writes an error of the gateway. */
  wireError(error: WireError): readonly Frame[];
  error(report: ErrorReport): readonly Frame[];
}

const none: readonly Frame[] = [];
const unnamed: StartEvent = { kind: 'start', id: '', model: '' };

/** Writes the stream of a format with one answer. All of these formats start, end and fail in the same way. */
export class OneAnswerEncoder implements StreamEncoder {
  readonly #format: OneAnswerFormat;
  #started = false;
  #closed = false;
  #refused = false;
  #finish: Finish | undefined;
  #usage: Usage | undefined;

  constructor(format: OneAnswerFormat) {
    this.#format = format;
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
        this.#usage = mergedUsage(this.#usage, event.usage);
        return none;
      case 'extension':
        return none;
      case 'error':
        this.#closed = true;
        return this.#format.wireError(event.error);
      case 'end':
        return this.end();
      default:
        return event.choice === 0 ? this.#block(event) : none;
    }
  }

  fail(report: ErrorReport): readonly Frame[] {
    if (this.#closed) return none;
    this.#closed = true;
    return this.#format.error(report);
  }

  /** Ends the answer only if it has finished. Otherwise the stream was cut. */
  end(): readonly Frame[] {
    if (this.#closed) return none;
    if (this.#finish === undefined) return this.fail(errorReport('stream-cut', {}));
    this.#closed = true;
    const ending = { finish: this.#finish, refused: this.#refused, usage: this.#usage };
    return [...this.#start(unnamed), ...this.#format.end(ending)];
  }

  #start(event: StartEvent): readonly Frame[] {
    if (this.#started) return none;
    this.#started = true;
    // A provider may report usage before the answer begins.
    this.#usage ??= event.usage;
    return this.#format.start(event);
  }

  #block(event: BlockEvent): readonly Frame[] {
    if (event.kind === 'refusal') this.#refused = true;
    return this.#started ? this.#format.block(event) : [...this.#start(unnamed), ...this.#format.block(event)];
  }
}
