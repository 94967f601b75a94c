import { tagBound } from '../../../schema/bound.ts';
import type { AnswerEvent } from '../../../schema/conversation.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json.ts';
import type { Frame } from '../../sdk/dialect.ts';
import { jsonFrame } from '../wire/json-frame.ts';
import { parseObject } from '../wire/parse-json.ts';

/** An event that belongs to one part of the answer. */
export type BlockEvent = Exclude<AnswerEvent, { readonly kind: 'start' | 'finish' | 'usage' | 'error' | 'end' }>;

const none: readonly Frame[] = [];

interface OpenBlock {
  readonly key: string;
  readonly index: number;
  /** The arguments of a call so far; undefined for other blocks. */
  call: string | undefined;
}

const isWhole = ({ call }: OpenBlock): boolean => call === undefined || parseObject(call) !== undefined;

const keyOf = ({ kind, block }: BlockEvent): string => `${kind === 'tool-arguments' ? 'tool-call' : kind} ${block}`;

/**
 * Writes content blocks one after another, as clients of the format expect, although the pieces of a conversation's parts
 * may interleave: other events wait while the arguments of a call are incomplete.
 */
export class BlockEncoder {
  #open: OpenBlock | undefined;
  #waiting: BlockEvent[] = [];
  #written = 0;

  push(event: BlockEvent): readonly Frame[] {
    const open = this.#open;
    if (open === undefined || open.key === keyOf(event)) return [...this.#write(event), ...this.#catchUp()];
    if (isWhole(open)) return [...this.#close(), ...this.#write(event)];
    this.#waiting.push(event);
    return none;
  }

  /** Writes the waiting events, and closes the last block. */
  end(): readonly Frame[] {
    const frames = [...this.#close()];
    while (this.#waiting.length > 0) {
      const [first] = this.#waiting;
      if (first === undefined) break;
      const key = keyOf(first);
      const next = this.#waiting.filter((event) => keyOf(event) === key);
      this.#waiting = this.#waiting.filter((event) => keyOf(event) !== key);
      frames.push(...next.flatMap((event) => this.#write(event)), ...this.#close());
    }
    return frames;
  }

  /** Once the open call is complete, writes the waiting events in their order. */
  #catchUp(): readonly Frame[] {
    if (this.#waiting.length === 0 || this.#open === undefined || !isWhole(this.#open)) return none;
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting.flatMap((event) => this.push(event));
  }

  #write(event: BlockEvent): readonly Frame[] {
    switch (event.kind) {
      case 'text':
      case 'refusal':
        return [
          ...this.#begin(event, { type: 'text', text: '' }),
          this.#delta({ type: 'text_delta', text: event.text }),
        ];
      case 'reasoning':
        return this.#writeReasoning(event);
      case 'tool-call':
        return this.#begin(event, { type: 'tool_use', id: event.id, name: event.name, input: {} }, '');
      case 'tool-arguments':
        return this.#writeArguments(event.text);
      case 'part':
        return this.#writePart(event);
      default:
        return none;
    }
  }

  #writeReasoning(event: Extract<BlockEvent, { kind: 'reasoning' }>): readonly Frame[] {
    const { text = '', bound } = event;
    const isOpen = this.#open?.key === keyOf(event);
    if (bound?.kind === 'encrypted' && text === '' && !isOpen)
      return [...this.#begin(event, { type: 'redacted_thinking', data: tagBound(bound) }), ...this.#close()];
    const frames = [...this.#begin(event, { type: 'thinking', thinking: '', signature: '' })];
    if (text !== '') frames.push(this.#delta({ type: 'thinking_delta', thinking: text }));
    if (bound !== undefined) frames.push(this.#delta({ type: 'signature_delta', signature: tagBound(bound) }));
    return frames;
  }

  /** Pieces for a closed call can only be white space. */
  #writeArguments(text: string): readonly Frame[] {
    if (this.#open?.call === undefined) return none;
    this.#open.call += text;
    return [this.#delta({ type: 'input_json_delta', partial_json: text })];
  }

  #writePart(event: Extract<BlockEvent, { kind: 'part' }>): readonly Frame[] {
    const { part } = event;
    if (part.kind === 'media' || part.dialect !== 'messages' || !isJsonObject(part.value)) return none;
    return [...this.#begin(event, part.value), ...this.#close()];
  }

  #begin(event: BlockEvent, block: JsonObject, call?: string): readonly Frame[] {
    const key = keyOf(event);
    if (this.#open?.key === key) return none;
    const closed = this.#close();
    const index = this.#written;
    this.#written += 1;
    this.#open = { key, index, call };
    return [...closed, jsonFrame({ type: 'content_block_start', index, content_block: block }, 'content_block_start')];
  }

  #delta(delta: JsonObject): Frame {
    const index = this.#open?.index ?? 0;
    return jsonFrame({ type: 'content_block_delta', index, delta }, 'content_block_delta');
  }

  #close(): readonly Frame[] {
    if (this.#open === undefined) return none;
    const { index } = this.#open;
    this.#open = undefined;
    return [jsonFrame({ type: 'content_block_stop', index }, 'content_block_stop')];
  }
}
