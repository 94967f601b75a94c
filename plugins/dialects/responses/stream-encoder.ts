import type { AnswerEvent, Finish, Usage } from '../../../schema/conversation.ts';
import { type ErrorReport, errorReport } from '../../../schema/errors.ts';
import type { JsonObject } from '../../../schema/json.ts';
import type { EncodeAnswer, Frame, StreamEncoder } from '../../sdk/dialect.ts';
import { encodeError } from '../chat/encode-error.ts';
import { encodeWireError } from '../chat/errors.ts';
import { failedResponseError } from './errors.ts';
import { EventWriter } from './event-writer.ts';
import { encodeFinish } from './finish-reasons.ts';
import type { BlockEvent } from './open-item.ts';
import { OutputEncoder } from './output-encoder.ts';
import { type ResponseHead, type ResponseState, responseObject } from './response-object.ts';

const none: readonly Frame[] = [];

/** https://platform.openai.com/docs/api-reference/responses-streaming. The format has one answer: the first choice. */
class ResponsesStreamEncoder implements StreamEncoder {
  readonly #events = new EventWriter();
  #head: ResponseHead;
  #output: OutputEncoder | undefined;
  #closed = false;
  /** Sent at the end, together with the usage, which may arrive after it. */
  #finish: Finish | undefined;
  #usage: Usage | undefined;

  constructor(options: EncodeAnswer) {
    this.#head = { id: options.id ?? 'gw-response', model: '', created: options.created ?? 0 };
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
        return this.#failWith(encodeWireError(event.error, event.error.status ?? 502));
      case 'end':
        return this.end();
      default:
        return event.choice === 0 ? this.#block(event) : none;
    }
  }

  fail(report: ErrorReport): readonly Frame[] {
    return this.#closed ? none : this.#failWith(encodeError(report));
  }

  /** Sends the last event only if the answer has finished; otherwise the stream was cut. */
  end(): readonly Frame[] {
    if (this.#closed) return none;
    if (this.#finish === undefined) return this.fail(errorReport('stream-cut', {}));
    this.#closed = true;
    const reason = encodeFinish(this.#finish);
    const status = reason === undefined ? 'completed' : 'incomplete';
    const [begun, output] = this.#begin();
    const ended = output.end(status);
    const state = { status, output: output.items, reason, usage: this.#usage } as const;
    return [...begun, ...ended, this.#lifecycle(`response.${status}`, state)];
  }

  #lifecycle(type: string, state: ResponseState): Frame {
    return this.#events.write(type, { response: responseObject(this.#head, state) });
  }

  #failWith(body: JsonObject): readonly Frame[] {
    this.#closed = true;
    const error = failedResponseError(body);
    const output = this.#output?.items ?? [];
    return [
      this.#events.writeError(body),
      this.#lifecycle('response.failed', { status: 'failed', output, error, usage: undefined }),
    ];
  }

  #start({ id, model, created, usage }: Extract<AnswerEvent, { kind: 'start' }>): readonly Frame[] {
    if (this.#output !== undefined) return none;
    const head = this.#head;
    this.#head = { id: id === '' ? head.id : id, model, created: created ?? head.created };
    this.#usage = usage;
    return this.#begin()[0];
  }

  #begin(): readonly [readonly Frame[], OutputEncoder] {
    if (this.#output !== undefined) return [none, this.#output];
    this.#output = new OutputEncoder(this.#events, this.#head.id);
    const state = { status: 'in_progress', output: [] } as const;
    const frames = ['response.created', 'response.in_progress'].map((type) => this.#lifecycle(type, state));
    return [frames, this.#output];
  }

  #block(event: BlockEvent): readonly Frame[] {
    const [begun, output] = this.#begin();
    return [...begun, ...output.push(event)];
  }
}

export const streamEncoder = (options: EncodeAnswer): StreamEncoder => new ResponsesStreamEncoder(options);
