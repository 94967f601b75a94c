import type { AnswerEvent } from '../../../schema/conversation.ts';
import { parseObject } from './parse-json.ts';

/** An event that belongs to one part of the answer. */
export type BlockEvent = Exclude<AnswerEvent, { readonly kind: 'start' | 'finish' | 'usage' | 'error' | 'end' }>;

interface OpenBlock {
  readonly key: string;
  /** The arguments of a call so far; undefined for other blocks. */
  call: string | undefined;
}

const isWhole = ({ call }: OpenBlock): boolean => call === undefined || parseObject(call) !== undefined;

const owner = { 'tool-arguments': 'tool-call', citation: 'text', logprobs: 'text' } as const;

const ownerOf = (kind: BlockEvent['kind']): string => (kind in owner ? owner[kind as keyof typeof owner] : kind);

/** The part that an event belongs to. */
export const blockKey = ({ kind, block }: BlockEvent): string => `${ownerOf(kind)} ${block}`;

const isRemark = ({ kind }: BlockEvent): boolean => kind === 'citation' || kind === 'logprobs';

/**
 * Puts the events of one choice in an order in which blocks follow one another, for formats whose clients expect that: the
 * pieces of a conversation's parts may interleave. Other events wait while the arguments of a call are incomplete.
 */
export class BlockSequence {
  #open: OpenBlock | undefined;
  #waiting: BlockEvent[] = [];

  push(event: BlockEvent): readonly BlockEvent[] {
    if (event.kind === 'block-end') return [];
    const key = blockKey(event);
    const open = this.#open;
    if (open?.key === key) return [...this.#passed(open, event), ...this.#catchUp(open)];
    if (isRemark(event) && !this.#waiting.some((other) => blockKey(other) === key)) return [event];
    if (open !== undefined && !isWhole(open)) {
      this.#waiting.push(event);
      return [];
    }
    // A call whose block is over was complete, so these can only be white space.
    if (event.kind === 'tool-arguments') return [];
    this.#open = { key, call: event.kind === 'tool-call' ? '' : undefined };
    return [event];
  }

  /** The events that still wait, one block after another. */
  end(): readonly BlockEvent[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return [...Map.groupBy(waiting, blockKey).values()].flat();
  }

  #passed(open: OpenBlock, event: BlockEvent): readonly BlockEvent[] {
    if (event.kind === 'tool-arguments') open.call = (open.call ?? '') + event.text;
    return [event];
  }

  /** Once the open call is complete, the events that waited for it. */
  #catchUp(open: OpenBlock): readonly BlockEvent[] {
    if (this.#waiting.length === 0 || !isWhole(open)) return [];
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting.flatMap((event) => this.push(event));
  }
}
