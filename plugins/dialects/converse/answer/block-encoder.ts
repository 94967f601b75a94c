import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findObject, toObjects } from '../../../../schema/json/loose.ts';
import type { Frame } from '../../../sdk/dialect/dialect.ts';
import type { BlockEvent, BlockEventOf } from '../../shared/answer/block-event.ts';
import { BlockSequence, blockKey } from '../../shared/answer/block-sequence.ts';
import { jsonFrame } from '../../shared/answer/json-frame.ts';
import { omit } from '../../shared/json/omit.ts';
import { ownValue } from '../../shared/parts/own-value.ts';
import { ShownReasoning } from '../../shared/parts/shown-reasoning.ts';
import { customInputEnd, customInputPiece, customInputStart } from '../../shared/request/custom-tool.ts';
import { boundDelta } from '../parts/bound-values.ts';
import { callBlock } from '../parts/calls.ts';
import { encodeCitation } from '../parts/citations.ts';
import { encodeGeneratedMedia } from '../parts/encode-media.ts';

const none: readonly Frame[] = [];

interface OpenBlock {
  readonly key: string;
  readonly index: number;
  /** The text of reasoning, to which a bound value then belongs. */
  readonly shown: ShownReasoning;
  /** The text that completes arguments which stand for the input of a custom tool. */
  rest?: string;
}

const inputName: ReadonlySet<string> = new Set(['input']);
const contentName: ReadonlySet<string> = new Set(['content']);

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
        return event.text === '' ? none : [...this.#begin(event), this.#delta({ text: event.text })];
      case 'reasoning':
        return this.#writeReasoning(event);
      case 'tool-call':
        return this.#writeCall(event);
      case 'tool-arguments':
        return this.#writeArguments(event.text);
      case 'citation':
        // The text that it belongs to may have ended, if the pieces of several parts interleave.
        return this.#open?.key === blockKey(event) ? [this.#delta({ citation: encodeCitation(event.citation) })] : none;
      case 'part':
        return this.#writePart(event);
      default:
        return none;
    }
  }

  #writeReasoning(event: BlockEventOf<'reasoning'>): readonly Frame[] {
    const frames = [...this.#begin(event)];
    const shown = this.#open?.shown ?? new ShownReasoning();
    const text = shown.push(event);
    if (text !== '' || event.bound === undefined) frames.push(this.#delta({ reasoningContent: { text } }));
    if (event.bound !== undefined)
      frames.push(this.#delta({ reasoningContent: boundDelta(event.bound, !shown.hasText) }));
    return frames;
  }

  #writeCall(event: BlockEventOf<'tool-call'>): readonly Frame[] {
    const start = this.#begin(event, callBlock(event));
    if (event.input === undefined || this.#open === undefined) return start;
    this.#open.rest = customInputEnd;
    return [...start, this.#input(customInputStart)];
  }

  /** Writes arguments. The input of a custom tool is a JSON string, whose pieces can be written as they arrive. */
  #writeArguments(text: string): readonly Frame[] {
    const piece = this.#open?.rest === undefined ? text : customInputPiece(text);
    return piece === '' ? none : [this.#input(piece)];
  }

  #input(input: string): Frame {
    return this.#delta({ toolUse: { input } });
  }

  #writePart(event: BlockEventOf<'part'>): readonly Frame[] {
    const { part } = event;
    if (part.kind === 'media') {
      const media = encodeGeneratedMedia(part);
      if (media === undefined) return none;
      return this.#whole(event, { image: { format: media.format } }, { image: { source: media.source } });
    }
    const own = ownValue(part, 'converse');
    const call = findObject(own?.toolUse);
    if (call !== undefined)
      return this.#whole(
        event,
        { toolUse: omit(call, inputName) ?? {} },
        { toolUse: { input: JSON.stringify(call.input ?? {}) } },
      );
    const result = findObject(own?.toolResult);
    if (result === undefined) return none;
    const start = { toolResult: omit(result, contentName) ?? {} };
    return this.#whole(event, start, { toolResult: toObjects(result.content) });
  }

  #whole(event: BlockEvent, start: JsonObject, delta: JsonObject): readonly Frame[] {
    return [...this.#begin(event, start), this.#delta(delta), ...this.#close()];
  }

  /** Begins a block. Only blocks that are neither text nor reasoning have a start. */
  #begin(event: BlockEvent, start?: JsonObject): readonly Frame[] {
    const key = blockKey(event);
    if (this.#open?.key === key) return none;
    const closed = this.#close();
    const index = this.#written;
    this.#written += 1;
    this.#open = { key, index, shown: new ShownReasoning() };
    return start === undefined ? closed : [...closed, this.#frame('contentBlockStart', { start })];
  }

  #delta(delta: JsonObject): Frame {
    return this.#frame('contentBlockDelta', { delta });
  }

  #close(): readonly Frame[] {
    if (this.#open === undefined) return none;
    const { rest } = this.#open;
    const last = rest === undefined ? none : [this.#input(rest)];
    const stop = this.#frame('contentBlockStop', {});
    this.#open = undefined;
    return [...last, stop];
  }

  #frame(event: string, members: { readonly [name: string]: Json }): Frame {
    return jsonFrame({ contentBlockIndex: this.#open?.index ?? 0, ...members }, event);
  }
}
