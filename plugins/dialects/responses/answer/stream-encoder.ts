import type { WireError } from '../../../../schema/conversation/answer.ts';
import type { ErrorReport } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { EncodeAnswer, Frame, StreamEncoder } from '../../../sdk/dialect/dialect.ts';
import { encodeError } from '../../chat/parts/encode-error.ts';
import { encodeWireError } from '../../chat/parts/errors.ts';
import type { BlockEvent } from '../../shared/answer/block-event.ts';
import {
  type AnswerEnding,
  OneAnswerEncoder,
  type OneAnswerFormat,
  type StartEvent,
} from '../../shared/answer/one-answer-encoder.ts';
import { failedResponseError } from '../parts/errors.ts';
import { EventWriter } from './event-writer.ts';
import { encodeFinish } from './finish-reasons.ts';
import { OutputEncoder } from './output-encoder.ts';
import { constantMembers, type ResponseHead, type ResponseState, stateMembers } from './response-object.ts';

/** https://platform.openai.com/docs/api-reference/responses-streaming */
class ResponsesFormat implements OneAnswerFormat {
  readonly #events = new EventWriter();
  #head: ResponseHead;
  #output: OutputEncoder;
  readonly #remember: EncodeAnswer['remember'];
  readonly #request: EncodeAnswer['request'];
  #constant: string | undefined;

  constructor({ id = 'gw-response', created = 0, remember, request }: EncodeAnswer) {
    this.#remember = remember;
    this.#request = request;
    this.#head = { id, model: '', created };
    this.#output = new OutputEncoder(this.#events, id);
  }

  start({ id, model, created }: StartEvent): readonly Frame[] {
    const own = this.#head;
    this.#head = { id: id === '' ? own.id : id, model, created: created ?? own.created };
    this.#output = new OutputEncoder(this.#events, this.#head.id);
    const state = { status: 'in_progress', output: [] } as const;
    return ['response.created', 'response.in_progress'].map((type) => this.#lifecycle(type, state));
  }

  block(event: BlockEvent): readonly Frame[] {
    return this.#output.push(event);
  }

  end({ finish, usage }: AnswerEnding): readonly Frame[] {
    const reason = encodeFinish(finish);
    const status = reason === undefined ? 'completed' : 'incomplete';
    const ended = this.#output.end(status);
    const output = this.#output.items;
    this.#remember?.(output);
    const state = { status, output, reason, usage } as const;
    return [...ended, this.#lifecycle(`response.${status}`, state)];
  }

  wireError(error: WireError): readonly Frame[] {
    return this.#failed(encodeWireError(error, error.status ?? 502));
  }

  error(report: ErrorReport): readonly Frame[] {
    return this.#failed(encodeError(report));
  }

  #failed(body: JsonObject): readonly Frame[] {
    const state = { status: 'failed', output: this.#output.items, error: failedResponseError(body) } as const;
    return [this.#events.writeError(body), this.#lifecycle('response.failed', state)];
  }

  #lifecycle(type: string, state: ResponseState): Frame {
    this.#constant ??= JSON.stringify(constantMembers(this.#request?.()));
    return this.#events.writeResponse(type, stateMembers(this.#head, state), this.#constant);
  }
}

export const streamEncoder = (options: EncodeAnswer): StreamEncoder =>
  new OneAnswerEncoder(new ResponsesFormat(options));
