import type { AnswerEvent } from '../../../schema/conversation.ts';
import { parseObject } from './parse-json.ts';

/** An event that belongs to one part of the answer. */
export type BlockEvent = Exclude<AnswerEvent, { readonly kind: 'start' | 'finish' | 'usage' | 'error' | 'end' }>;

interface OpenBlock {
  readonly key: string;
  readonly block: number;
  /** Whether more of it can come: of a call, until its arguments are complete. */
  isWhole: boolean;
  /** The arguments of a function's call so far. The input of a custom tool ends only where its block does. */
  call: string | undefined;
}

const owner = { 'tool-arguments': 'tool-call', citation: 'text', logprobs: 'text' } as const;

const ownerOf = (kind: BlockEvent['kind']): string => (kind in owner ? owner[kind as keyof typeof owner] : kind);

/** The part that an event belongs to. */
export const blockKey = ({ kind, block }: BlockEvent): string => `${ownerOf(kind)} ${block}`;

const toOpen = (event: BlockEvent, key: string): OpenBlock => {
  const isCall = event.kind === 'tool-call';
  const call = isCall && event.input === undefined ? '' : undefined;
  return { key, block: event.block, isWhole: !isCall, call };
};

const isRemark = ({ kind }: BlockEvent): boolean => kind === 'citation' || kind === 'logprobs';

/**
 * Puts the events of one choice in an order in which blocks follow one another, for formats whose clients expect that: the
 * pieces of a conversation's parts may interleave. Other events wait while the arguments of a call are incomplete.
 */
export class BlockSequence {
  #open: OpenBlock | undefined;
  #waiting: BlockEvent[] = [];

  push(event: BlockEvent): readonly BlockEvent[] {
    if (event.kind === 'block-end') return this.#endBlock(event);
    const key = blockKey(event);
    const open = this.#open;
    if (open?.key === key) return [...this.#passed(open, event), ...this.#catchUp(open)];
    if (isRemark(event) && !this.#waiting.some((other) => blockKey(other) === key)) return [event];
    if (open !== undefined && !open.isWhole) {
      this.#waiting.push(event);
      return [];
    }
    // A call whose block is over was complete, so these can only be white space.
    if (event.kind === 'tool-arguments') return [];
    this.#open = toOpen(event, key);
    return [event];
  }

  /** The events that still wait, one block after another. */
  end(): readonly BlockEvent[] {
    const waiting = this.#waiting.filter(({ kind }) => kind !== 'block-end');
    this.#waiting = [];
    return [...Map.groupBy(waiting, blockKey).values()].flat();
  }

  #endBlock(event: BlockEvent): readonly BlockEvent[] {
    const open = this.#open;
    if (open?.block === event.block) {
      open.isWhole = true;
      return this.#catchUp(open);
    }
    if (this.#waiting.some(({ block }) => block === event.block)) this.#waiting.push(event);
    return [];
  }

  #passed(open: OpenBlock, event: BlockEvent): readonly BlockEvent[] {
    if (event.kind === 'tool-arguments' && open.call !== undefined) {
      open.call += event.text;
      open.isWhole = parseObject(open.call) !== undefined;
    }
    return [event];
  }

  /** Once the open call is complete, the events that waited for it. */
  #catchUp(open: OpenBlock): readonly BlockEvent[] {
    if (this.#waiting.length === 0 || !open.isWhole) return [];
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting.flatMap((event) => this.push(event));
  }
}
