import { GrowingObject } from '../json/growing-object.ts';
import type { BlockEvent } from './block-event.ts';
import { WaitingEvents } from './waiting-events.ts';

interface OpenBlock {
  readonly key: string;
  readonly block: number;
  /** Whether more of it can come: of a call, until its arguments are complete. */
  isWhole: boolean;
  /** The arguments of a function's call so far. The input of a custom tool ends only where its block does. */
  readonly call: GrowingObject | undefined;
}

const owner = { 'tool-arguments': 'tool-call', citation: 'text', logprobs: 'text' } as const;

const toOwner = (kind: BlockEvent['kind']): string => (kind in owner ? owner[kind as keyof typeof owner] : kind);

/** The part that an event belongs to. */
export const blockKey = ({ kind, block }: BlockEvent): string => `${toOwner(kind)} ${block}`;

const toOpen = (event: BlockEvent, key: string): OpenBlock => {
  const isCall = event.kind === 'tool-call';
  const call = isCall && event.input === undefined ? new GrowingObject() : undefined;
  return { key, block: event.block, isWhole: !isCall, call };
};

const isRemark = ({ kind }: BlockEvent): boolean => kind === 'citation' || kind === 'logprobs';

/**
 * Puts the events of one choice in an order in which blocks follow one another, for formats whose clients expect that: the
 * pieces of a conversation's parts may interleave. Other events wait while the arguments of a call are incomplete, and then
 * go on one block after another.
 */
export class BlockSequence {
  readonly #waiting = new WaitingEvents();
  /** The texts that have begun. */
  readonly #begun = new Set<string>();
  /** The remarks on texts that have not begun: Claude cites before it writes. */
  readonly #early = new Map<string, BlockEvent[]>();
  #open: OpenBlock | undefined;

  push(event: BlockEvent): readonly BlockEvent[] {
    const passed = this.#pass(event);
    for (let next = this.#next(); next !== undefined; next = this.#next())
      for (const waited of next) for (const each of this.#pass(waited)) passed.push(each);
    return passed;
  }

  /** The events that still wait, one block after another. */
  end(): readonly BlockEvent[] {
    return this.#waiting.takeAll().filter(({ kind }) => kind !== 'block-end');
  }

  /** The events of the next block that waited, if it may begin. */
  #next(): readonly BlockEvent[] | undefined {
    return this.#open === undefined || this.#open.isWhole ? this.#waiting.take() : undefined;
  }

  #pass(event: BlockEvent): BlockEvent[] {
    if (event.kind === 'block-end') return this.#endBlock(event);
    const key = blockKey(event);
    const open = this.#open;
    if (isRemark(event) && !this.#waiting.has(event.block)) return this.#remark(event, key);
    if (open?.key === key) {
      this.#grow(open, event);
      return this.#withEarly(event, key);
    }
    if (open !== undefined && !open.isWhole) {
      this.#waiting.add(event);
      return [];
    }
    // A call whose block is over was complete, so these can only be white space.
    if (event.kind === 'tool-arguments') return [];
    this.#open = toOpen(event, key);
    return this.#withEarly(event, key);
  }

  /** A remark follows the beginning of its text, which clients need to know first. */
  #remark(event: BlockEvent, key: string): BlockEvent[] {
    if (this.#begun.has(key)) return [event];
    this.#early.set(key, [...(this.#early.get(key) ?? []), event]);
    return [];
  }

  /** The event, and behind the beginning of a text the remarks that came before it. */
  #withEarly(event: BlockEvent, key: string): BlockEvent[] {
    if (event.kind !== 'text' || event.text === '' || this.#begun.has(key)) return [event];
    this.#begun.add(key);
    const early = this.#early.get(key) ?? [];
    this.#early.delete(key);
    return [event, ...early];
  }

  #endBlock(event: BlockEvent): BlockEvent[] {
    if (this.#open?.block === event.block) this.#open.isWhole = true;
    else if (this.#waiting.has(event.block)) this.#waiting.add(event);
    return [];
  }

  #grow(open: OpenBlock, event: BlockEvent): void {
    if (event.kind !== 'tool-arguments' || open.call === undefined) return;
    open.call.push(event.text);
    open.isWhole = open.call.isWhole;
  }
}
