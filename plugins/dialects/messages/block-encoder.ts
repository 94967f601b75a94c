import type { AnswerEvent } from '../../../schema/conversation.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json.ts';
import { parseObject } from '../wire/parse-json.ts';
import { sseEvent } from '../wire/sse-event.ts';

/** An event that belongs to one part of the answer. */
export type BlockEvent = Exclude<AnswerEvent, { readonly kind: 'start' | 'finish' | 'usage' | 'error' | 'end' }>;

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

  push(event: BlockEvent): string {
    const open = this.#open;
    if (open === undefined || open.key === keyOf(event)) return this.#write(event) + this.#catchUp();
    if (isWhole(open)) return this.#close() + this.#write(event);
    this.#waiting.push(event);
    return '';
  }

  /** Writes the waiting events, and closes the last block. */
  end(): string {
    let text = this.#close();
    while (this.#waiting.length > 0) {
      const [first] = this.#waiting;
      if (first === undefined) break;
      const key = keyOf(first);
      const next = this.#waiting.filter((event) => keyOf(event) === key);
      this.#waiting = this.#waiting.filter((event) => keyOf(event) !== key);
      text += next.map((event) => this.#write(event)).join('') + this.#close();
    }
    return text;
  }

  /** Once the open call is complete, writes the waiting events in their order. */
  #catchUp(): string {
    if (this.#waiting.length === 0 || this.#open === undefined || !isWhole(this.#open)) return '';
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting.map((event) => this.push(event)).join('');
  }

  #write(event: BlockEvent): string {
    switch (event.kind) {
      case 'text':
      case 'refusal':
        return this.#begin(event, { type: 'text', text: '' }) + this.#delta({ type: 'text_delta', text: event.text });
      case 'reasoning':
        return this.#writeReasoning(event);
      case 'tool-call':
        return this.#begin(event, { type: 'tool_use', id: event.id, name: event.name, input: {} }, '');
      case 'tool-arguments':
        return this.#writeArguments(event.text);
      case 'other':
        return this.#writeOther(event);
    }
  }

  #writeReasoning(event: Extract<BlockEvent, { kind: 'reasoning' }>): string {
    if (event.redacted !== undefined)
      return this.#begin(event, { type: 'redacted_thinking', data: event.redacted }) + this.#close();
    const { text = '', signature = '' } = event;
    return (
      this.#begin(event, { type: 'thinking', thinking: '', signature: '' }) +
      (text === '' ? '' : this.#delta({ type: 'thinking_delta', thinking: text })) +
      (signature === '' ? '' : this.#delta({ type: 'signature_delta', signature }))
    );
  }

  /** Pieces for a closed call can only be white space. */
  #writeArguments(text: string): string {
    if (this.#open?.call === undefined) return '';
    this.#open.call += text;
    return this.#delta({ type: 'input_json_delta', partial_json: text });
  }

  #writeOther(event: Extract<BlockEvent, { kind: 'other' }>): string {
    const { dialect, value } = event.part;
    return dialect === 'messages' && isJsonObject(value) ? this.#begin(event, value) + this.#close() : '';
  }

  #begin(event: BlockEvent, block: JsonObject, call?: string): string {
    const key = keyOf(event);
    if (this.#open?.key === key) return '';
    const closed = this.#close();
    const index = this.#written;
    this.#written += 1;
    this.#open = { key, index, call };
    return `${closed}${sseEvent({ type: 'content_block_start', index, content_block: block }, 'content_block_start')}`;
  }

  #delta(delta: JsonObject): string {
    const index = this.#open?.index ?? 0;
    return sseEvent({ type: 'content_block_delta', index, delta }, 'content_block_delta');
  }

  #close(): string {
    if (this.#open === undefined) return '';
    const { index } = this.#open;
    this.#open = undefined;
    return sseEvent({ type: 'content_block_stop', index }, 'content_block_stop');
  }
}
