import type { AnswerEventOf } from '../../../../schema/conversation/answer.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Frame } from '../../../sdk/dialect/dialect.ts';
import type { BlockEvent, BlockEventOf } from '../../shared/answer/block-event.ts';
import { BlockSequence, blockKey } from '../../shared/answer/block-sequence.ts';
import { jsonFrame } from '../../shared/answer/json-frame.ts';
import { ownValue } from '../../shared/parts/own-value.ts';
import { ShownReasoning } from '../../shared/parts/shown-reasoning.ts';
import { customInputEnd, customInputPiece, customInputStart } from '../../shared/request/custom-tool.ts';
import { encodeCall } from '../parts/calls.ts';
import { encodeCitations } from '../parts/citations.ts';
import { encodeBound } from '../parts/thinking.ts';
import { encodeLogprob } from './logprobs.ts';

const none: readonly Frame[] = [];

interface WrittenBlock {
  readonly key: string;
  readonly kind: 'content' | 'tool-call';
  readonly index: number;
  text: string;
  /** The text that completes arguments which stand for the input of a custom tool. */
  rest?: string;
}

const frame = (type: string, index: number, message?: JsonObject, more: JsonObject = {}): Frame =>
  jsonFrame({ type, index, ...(message === undefined ? {} : { delta: { message } }), ...more }, type);

/** Writes content and tool calls one after another, with separate indexes, as clients of the format expect. */
export class BlockEncoder {
  readonly #sequence = new BlockSequence();
  readonly #written = new Map<string, WrittenBlock>();
  readonly #shown = new Map<number, ShownReasoning>();
  readonly #counts = { content: 0, 'tool-call': 0, citation: 0 };
  #open: WrittenBlock | undefined;

  push(event: BlockEvent): readonly Frame[] {
    return this.#sequence.push(event).flatMap((next) => this.#write(next));
  }

  /** Writes the waiting events, and ends the last block. */
  end(): readonly Frame[] {
    return [...this.#sequence.end().flatMap((next) => this.#write(next)), ...this.#close()];
  }

  #write(event: BlockEvent): readonly Frame[] {
    switch (event.kind) {
      case 'text':
      case 'refusal':
        return event.text === '' ? none : this.#content(event, 'text', { text: event.text });
      case 'reasoning':
        return this.#thinking(event);
      case 'tool-call':
        return this.#call(event);
      case 'tool-arguments':
        return this.#arguments(event.text);
      case 'part':
        return this.#part(event);
      case 'citation':
        return this.#citation(event);
      case 'logprobs':
        return this.#logprobs(event);
      case 'block-end':
        return none;
    }
  }

  #thinking(event: AnswerEventOf<'reasoning'>): readonly Frame[] {
    const text = this.#shownIn(event.block).push(event);
    if (text === '' && event.bound === undefined) return none;
    // Clients reject a piece that has neither text nor thinking.
    return this.#content(event, 'thinking', { thinking: text, ...encodeBound(event.bound) });
  }

  #shownIn(block: number): ShownReasoning {
    const shown = this.#shown.get(block) ?? new ShownReasoning();
    this.#shown.set(block, shown);
    return shown;
  }

  #content(event: BlockEvent, type: 'text' | 'thinking', pieces: JsonObject): readonly Frame[] {
    const frames = this.#begin(event, 'content', (index) =>
      frame('content-start', index, { content: { type, [type]: '' } }),
    );
    if (this.#open !== undefined && typeof pieces.text === 'string') this.#open.text += pieces.text;
    return [...frames, this.#delta('content-delta', { content: pieces })];
  }

  #call(event: BlockEventOf<'tool-call'>): readonly Frame[] {
    const call = encodeCall(event, '');
    const start = this.#begin(event, 'tool-call', (index) => frame('tool-call-start', index, { tool_calls: call }));
    if (event.input === undefined || this.#open === undefined) return start;
    this.#open.rest = customInputEnd;
    return [...start, this.#argumentsPiece(customInputStart)];
  }

  /** Writes arguments. The input of a custom tool is a JSON string, whose pieces can be written as they arrive. */
  #arguments(text: string): readonly Frame[] {
    const piece = this.#open?.rest === undefined ? text : customInputPiece(text);
    return piece === '' ? none : [this.#argumentsPiece(piece)];
  }

  #argumentsPiece(text: string): Frame {
    return this.#delta('tool-call-delta', { tool_calls: { function: { arguments: text } } });
  }

  #part(event: BlockEventOf<'part'>): readonly Frame[] {
    const { part } = event;
    const content = part.kind === 'other' ? ownValue(part, 'cohere') : undefined;
    if (content === undefined) return none;
    return [...this.#begin(event, 'content', (index) => frame('content-start', index, { content })), ...this.#close()];
  }

  #citation(event: BlockEventOf<'citation'>): readonly Frame[] {
    const block = this.#written.get(blockKey(event));
    if (block === undefined) return none;
    return encodeCitations({ text: block.text, citations: [event.citation] }, block.index).flatMap((citations) => {
      const index = this.#counts.citation;
      this.#counts.citation += 1;
      return [frame('citation-start', index, { citations }), frame('citation-end', index)];
    });
  }

  /** Writes log probabilities beside a piece of text, which has been sent already. */
  #logprobs(event: BlockEventOf<'logprobs'>): readonly Frame[] {
    const block = this.#written.get(blockKey(event));
    if (block === undefined) return none;
    return event.logprobs.map((each) =>
      frame('content-delta', block.index, { content: { text: '' } }, { logprobs: encodeLogprob(each) }),
    );
  }

  #begin(event: BlockEvent, kind: WrittenBlock['kind'], start: (index: number) => Frame): readonly Frame[] {
    const key = blockKey(event);
    if (this.#open?.key === key) return none;
    const closed = this.#close();
    const index = this.#counts[kind];
    this.#counts[kind] += 1;
    this.#open = { key, kind, index, text: '' };
    this.#written.set(key, this.#open);
    return [...closed, start(index)];
  }

  #delta(type: string, message: JsonObject): Frame {
    return frame(type, this.#open?.index ?? 0, message);
  }

  #close(): readonly Frame[] {
    if (this.#open === undefined) return none;
    const { kind, index, rest } = this.#open;
    const last = rest === undefined ? none : [this.#argumentsPiece(rest)];
    this.#open = undefined;
    return [...last, frame(`${kind}-end`, index)];
  }
}
