import type { AnswerEventOf } from '../../../../schema/conversation/answer.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Frame } from '../../../sdk/dialect/dialect.ts';
import { jsonFrame } from '../../shared/answer/json-frame.ts';
import { GrowingObject } from '../../shared/json/growing-object.ts';
import { ShownReasoning } from '../../shared/parts/shown-reasoning.ts';
import { customInputEnd, customInputPiece, customInputStart } from '../../shared/request/custom-tool.ts';

/** A content block of a stream that has begun and not stopped. */
export class OpenBlock {
  /** Its index in the answer. */
  readonly block: number;
  readonly #index: number;
  readonly #call: AnswerEventOf<'tool-call'> | undefined;
  readonly #reasoning = new ShownReasoning();
  #type: unknown;
  readonly #arguments = new GrowingObject();

  constructor(block: number, index: number, call?: AnswerEventOf<'tool-call'>) {
    this.block = block;
    this.#index = index;
    this.#call = call;
  }

  /** Whether it can stop. The arguments of a call may be incomplete, and a text is complete only when its end arrives. */
  get isWhole(): boolean {
    if (this.#call === undefined) return true;
    return !this.#isCustom && this.#arguments.isWhole;
  }

  get isText(): boolean {
    return this.isOf('text');
  }

  /** Whether it began with this type. */
  isOf(type: unknown): boolean {
    return this.#type === type;
  }

  get #isCustom(): boolean {
    return this.#call?.input === 'text';
  }

  start(content: JsonObject): readonly Frame[] {
    this.#type = content.type;
    const frame = { type: 'content_block_start', index: this.#index, content_block: content };
    const begun = jsonFrame(frame, 'content_block_start');
    return this.#isCustom ? [begun, this.#input(customInputStart)] : [begun];
  }

  delta(delta: JsonObject): Frame {
    return jsonFrame({ type: 'content_block_delta', index: this.#index, delta }, 'content_block_delta');
  }

  /** Writes a piece of the arguments. The text of a custom tool is the string of their only member. */
  grow(piece: string): readonly Frame[] {
    if (this.#call === undefined || piece === '') return [];
    this.#arguments.push(piece);
    return [this.#input(this.#isCustom ? customInputPiece(piece) : piece)];
  }

  /** Writes a piece of reasoning. */
  think(event: AnswerEventOf<'reasoning'>): readonly Frame[] {
    const thinking = this.#reasoning.push(event);
    return thinking === '' ? [] : [this.delta({ type: 'thinking_delta', thinking })];
  }

  stop(): readonly Frame[] {
    const last = jsonFrame({ type: 'content_block_stop', index: this.#index }, 'content_block_stop');
    return this.#isCustom ? [this.#input(customInputEnd), last] : [last];
  }

  #input(json: string): Frame {
    return this.delta({ type: 'input_json_delta', partial_json: json });
  }
}
