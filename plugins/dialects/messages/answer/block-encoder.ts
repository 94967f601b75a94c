import { tagBound } from '../../../../schema/conversation/bound.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Frame } from '../../../sdk/dialect/dialect.ts';
import type { BlockEvent, BlockEventOf } from '../../shared/answer/block-event.ts';
import { WaitingEvents } from '../../shared/answer/waiting-events.ts';
import { ownValue } from '../../shared/parts/own-value.ts';
import { callBlock } from '../parts/calls.ts';
import { encodeCitation } from '../parts/citations.ts';
import { silentThought } from '../parts/closing-thought.ts';
import { OpenBlock } from './open-block.ts';

const none: readonly Frame[] = [];

/** Called with the signature that closes the last text. */
export type OnEnding = (text: string, signature: string) => void;

/**
 * Writes content blocks one after another, as clients of the format expect, even though the pieces of a conversation's parts may
 * interleave: other events wait while the arguments of a call are incomplete.
 */
export class BlockEncoder {
  #open: OpenBlock | undefined;
  readonly #waiting = new WaitingEvents();
  readonly #stopped = new Set<number>();
  /** A value directly after the open text. If nothing follows, the value closes the text. */
  #closing: BlockEventOf<'reasoning'> | undefined;
  #written = 0;
  readonly #onEnding: OnEnding | undefined;
  /** The open text, if a callback needs it. */
  #text = '';

  constructor(onEnding?: OnEnding) {
    this.#onEnding = onEnding;
  }

  push(event: BlockEvent): readonly Frame[] {
    const frames = this.#pass(event);
    for (let next = this.#next(); next !== undefined; next = this.#next()) this.#passAll(next, frames);
    return frames;
  }

  /** Writes the waiting events, and closes the last block. */
  end(): readonly Frame[] {
    const frames = [...this.#sign(), ...this.#close()];
    for (const event of this.#waiting.takeAll()) {
      if (this.#open?.block !== event.block) for (const frame of this.#close()) frames.push(frame);
      for (const frame of this.#write(event)) frames.push(frame);
    }
    return [...frames, ...this.#close()];
  }

  /** Returns the events that waited for the next block, if it may begin. */
  #next(): readonly BlockEvent[] | undefined {
    return this.#open === undefined || this.#open.isWhole ? this.#waiting.take() : undefined;
  }

  #passAll(events: readonly BlockEvent[], frames: Frame[]): void {
    for (const event of events) for (const frame of this.#pass(event)) frames.push(frame);
  }

  #pass(event: BlockEvent): Frame[] {
    // A text that has stopped cannot get further citations.
    const isLate = event.kind === 'citation' && this.#stopped.has(event.block);
    if (event.kind === 'logprobs' || isLate) return [];
    if (this.#closes(event)) return [];
    const thought = this.#notClosing(event);
    if (thought !== undefined) return [...this.#enter(thought), ...this.#pass(event)];
    const open = this.#open;
    if (open === undefined || open.block === event.block || open.isWhole) return this.#enter(event);
    // The end of a block matters only to a block whose pieces wait.
    if (event.kind !== 'block-end' || this.#waiting.has(event.block)) this.#waiting.add(event);
    return [];
  }

  #closes(event: BlockEvent): boolean {
    const isHeld = event.kind === 'reasoning' && this.#open?.isText === true && silentThought(event) !== undefined;
    if (isHeld && this.#closing === undefined) this.#closing = event;
    return isHeld && this.#closing === event;
  }

  /** Returns the held value, if another block follows it. */
  #notClosing({ kind, block }: BlockEvent): BlockEventOf<'reasoning'> | undefined {
    if (kind === 'block-end' || block === this.#open?.block) return undefined;
    const held = this.#closing;
    this.#closing = undefined;
    return held;
  }

  /** Ends the open text with the value that closes it. */
  #sign(): readonly Frame[] {
    const bound = this.#closing?.bound;
    if (bound === undefined || this.#open === undefined) return none;
    const signature = tagBound(bound);
    this.#onEnding?.(this.#text, signature);
    return [this.#open.delta({ type: 'text_delta', text: '', signature })];
  }

  /** Writes an event whose block is open or may begin. */
  #enter(event: BlockEvent): Frame[] {
    const isOther = this.#open !== undefined && this.#open.block !== event.block;
    if (event.kind === 'block-end' && (this.#open === undefined || isOther)) return [];
    const closed = isOther ? this.#close() : none;
    return [...closed, ...this.#write(event)];
  }

  #write(event: BlockEvent): readonly Frame[] {
    switch (event.kind) {
      case 'text':
      case 'refusal':
        return this.#said(event.text, this.#writeText(event, { type: 'text_delta', text: event.text }));
      case 'citation':
        return this.#writeCitation(event);
      case 'reasoning':
        return this.#writeReasoning(event);
      case 'tool-call':
        return this.#begin(event.block, callBlock(event, {}), event);
      case 'tool-arguments':
        // Pieces of a closed call can only be white space.
        return this.#open?.grow(event.text) ?? none;
      case 'part':
        return this.#writePart(event);
      case 'block-end':
        // A text may still be closed by what comes next.
        return this.#open?.isText === true ? none : this.#close();
      case 'logprobs':
        return none;
    }
  }

  #writeText({ block }: BlockEvent, delta: JsonObject): readonly Frame[] {
    const begun = this.#begin(block, { type: 'text', text: '' });
    return this.#open === undefined ? begun : [...begun, this.#open.delta(delta)];
  }

  #said(text: string, frames: readonly Frame[]): readonly Frame[] {
    if (this.#onEnding !== undefined) this.#text += text;
    return frames;
  }

  /** Writes a citation, which may come before its text. */
  #writeCitation(event: BlockEventOf<'citation'>): readonly Frame[] {
    const citation = encodeCitation(event.citation);
    return citation === undefined ? none : this.#writeText(event, { type: 'citations_delta', citation });
  }

  #writeReasoning(event: BlockEventOf<'reasoning'>): readonly Frame[] {
    const { block, text = '', summary, bound } = event;
    const isSilent = text === '' && summary === undefined && this.#open?.block !== block;
    if (bound?.kind === 'encrypted' && isSilent)
      return [...this.#begin(block, { type: 'redacted_thinking', data: tagBound(bound) }), ...this.#close()];
    const begun = this.#begin(block, { type: 'thinking', thinking: '', signature: '' });
    const open = this.#open;
    if (open === undefined) return begun;
    const signed = bound === undefined ? [] : [open.delta({ type: 'signature_delta', signature: tagBound(bound) })];
    return [...begun, ...open.think(event), ...signed];
  }

  #writePart({ block, part }: BlockEventOf<'part'>): readonly Frame[] {
    const content = part.kind === 'media' ? undefined : ownValue(part, 'messages');
    return content === undefined ? none : [...this.#begin(block, content), ...this.#close()];
  }

  #begin(block: number, content: JsonObject, call?: BlockEventOf<'tool-call'>): readonly Frame[] {
    // A provider may send text in a block of reasoning, for which the format needs two blocks.
    if (this.#open?.block === block && this.#open.isOf(content.type)) return none;
    const closed = this.#close();
    this.#open = new OpenBlock(block, this.#written, call);
    this.#text = '';
    this.#written += 1;
    return [...closed, ...this.#open.start(content)];
  }

  #close(): readonly Frame[] {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return none;
    this.#stopped.add(open.block);
    return open.stop();
  }
}
