import { tagBound } from '../../../schema/bound.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json.ts';
import type { Frame } from '../../sdk/dialect.ts';
import { type BlockEvent, BlockSequence, blockKey } from '../wire/block-sequence.ts';
import { jsonFrame } from '../wire/json-frame.ts';

const none: readonly Frame[] = [];

interface OpenBlock {
  readonly key: string;
  readonly index: number;
}

/** Writes content blocks one after another, as clients of the format expect. */
export class BlockEncoder {
  readonly #sequence = new BlockSequence();
  #open: OpenBlock | undefined;
  #written = 0;

  push(event: BlockEvent): readonly Frame[] {
    return this.#sequence.push(event).flatMap((next) => this.#write(next));
  }

  /** Writes the waiting events, and closes the last block. */
  end(): readonly Frame[] {
    return [...this.#sequence.end().flatMap((next) => this.#write(next)), ...this.#close()];
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
        return this.#begin(event, { type: 'tool_use', id: event.id, name: event.name, input: {} });
      case 'tool-arguments':
        return [this.#delta({ type: 'input_json_delta', partial_json: event.text })];
      case 'part':
        return this.#writePart(event);
      default:
        return none;
    }
  }

  #writeReasoning(event: Extract<BlockEvent, { kind: 'reasoning' }>): readonly Frame[] {
    const { text = '', bound } = event;
    const isOpen = this.#open?.key === blockKey(event);
    if (bound?.kind === 'encrypted' && text === '' && !isOpen)
      return [...this.#begin(event, { type: 'redacted_thinking', data: tagBound(bound) }), ...this.#close()];
    const frames = [...this.#begin(event, { type: 'thinking', thinking: '', signature: '' })];
    if (text !== '') frames.push(this.#delta({ type: 'thinking_delta', thinking: text }));
    if (bound !== undefined) frames.push(this.#delta({ type: 'signature_delta', signature: tagBound(bound) }));
    return frames;
  }

  #writePart(event: Extract<BlockEvent, { kind: 'part' }>): readonly Frame[] {
    const { part } = event;
    if (part.kind === 'media' || part.dialect !== 'messages' || !isJsonObject(part.value)) return none;
    return [...this.#begin(event, part.value), ...this.#close()];
  }

  #begin(event: BlockEvent, block: JsonObject): readonly Frame[] {
    const key = blockKey(event);
    if (this.#open?.key === key) return none;
    const closed = this.#close();
    const index = this.#written;
    this.#written += 1;
    this.#open = { key, index };
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
