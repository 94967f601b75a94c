import { GrowingObject } from '../json/growing-object.ts';
import type { BlockEvent } from './block-event.ts';
import { WaitingEvents } from './waiting-events.ts';

interface OpenBlock {
  readonly key: string;
  readonly block: number;
  /** Whether it is complete. A call is complete only once its arguments are. */
  isWhole: boolean;
  /** The arguments of a function's call so far. The input of a custom tool ends only where its block does. */
  readonly call: GrowingObject | undefined;
}

const owner = { 'tool-arguments': 'tool-call', citation: 'text', logprobs: 'text' } as const;

const toOwner = (kind: BlockEvent['kind']): string => (kind in owner ? owner[kind as keyof typeof owner] : kind);

/** Returns a key for the part that an event belongs to. */
export const blockKey = ({ kind, block }: BlockEvent): string => `${toOwner(kind)} ${block}`;

const toOpen = (event: BlockEvent, key: string): OpenBlock => {
  const isCall = event.kind === 'tool-call';
  const call = isCall && event.input === undefined ? new GrowingObject() : undefined;
  return { key, block: event.block, isWhole: !isCall, call };
};

const isRemark = ({ kind }: BlockEvent): boolean => kind === 'citation' || kind === 'logprobs';

/**
 * Orders the events of one choice so that blocks follow one another, for formats whose clients expect that: the pieces of a
 * conversation's parts may interleave. Other events wait while the arguments of a call are incomplete, and are then released one
 * block after another.
 */
export class BlockSequence {
  readonly #waiting = new WaitingEvents();
  /** The texts that have begun. */
  readonly #begun = new Set<string>();
  /** Citations and log probabilities of texts that have not begun: Claude cites before it writes. */
  readonly #early = new Map<string, BlockEvent[]>();
  #open: OpenBlock | undefined;

  push(event: BlockEvent): readonly BlockEvent[] {
    const passed = this.#pass(event);
    for (let next = this.#next(); next !== undefined; next = this.#next())
      for (const waited of next) for (const each of this.#pass(waited)) passed.push(each);
    return passed;
  }

  /** Returns the events that still wait, one block after another. */
  end(): readonly BlockEvent[] {
    return this.#waiting.takeAll().filter(({ kind }) => kind !== 'block-end');
  }

  /** Returns the events of the next waiting block, if it may begin. */
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
    // A call whose block has ended was complete, so these can only be white space.
    if (event.kind === 'tool-arguments') return [];
    this.#open = toOpen(event, key);
    return this.#withEarly(event, key);
  }

  /** Releases a citation or log probability after the beginning of its text, which clients need to know first. */
  #remark(event: BlockEvent, key: string): BlockEvent[] {
    if (this.#begun.has(key)) return [event];
    this.#early.set(key, [...(this.#early.get(key) ?? []), event]);
    return [];
  }

  /** Returns the event, followed by any citations and log probabilities that came before the beginning of this text. */
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
