import type { AnswerEvent } from '../../../schema/conversation/answer.ts';
import type { AnswerSoFar } from './answer-so-far.ts';

type BlockEvent = Extract<AnswerEvent, { readonly block: number }>;

const hasBlock = (event: AnswerEvent): event is BlockEvent => 'block' in event;

/** Whether an event is a value that belongs to the call after it, and that its provider needs back. */
const isThought = (event: AnswerEvent): boolean => event.kind === 'reasoning' && event.bound?.kind === 'thought';

/**
 * Turns the events of a continuing answer into events of the answer that it continues. Its first text belongs to the text that
 * broke off, and its parts are numbered after the existing ones. Its beginning is omitted unless the client has received none,
 * and so are its usage and its reasoning, which is about a request that the client did not make.
 */
export class RestEvents {
  readonly #said: AnswerSoFar;
  readonly #blocks = new Map<number, number>();
  /** If the text ends with white space that was omitted from the request for the rest, the rest may begin with it again. */
  #skipsSpace: boolean;

  constructor(said: AnswerSoFar) {
    this.#said = said;
    this.#skipsSpace = /\s$/.test(said.text);
  }

  /** Returns the event as it continues the answer. Undefined if it is omitted. */
  map(event: AnswerEvent): AnswerEvent | undefined {
    if (event.kind === 'start') return this.#said.hasBegun ? undefined : event;
    if (event.kind === 'usage' || event.kind === 'error') return undefined;
    if (event.kind === 'reasoning' && !isThought(event)) return undefined;
    if (event.kind === 'extension' && event.choice === undefined) return undefined;
    const given = this.#skipsSpace && event.kind === 'text' ? { ...event, text: event.text.trimStart() } : event;
    if (given.kind === 'text') {
      if (given.text === '') return undefined;
      this.#skipsSpace = false;
    }
    return hasBlock(given) ? this.#placed(given) : given;
  }

  #placed(event: BlockEvent): AnswerEvent | undefined {
    const known = this.#blocks.get(event.block);
    // The end of an omitted block.
    if (known === undefined && event.kind === 'block-end') return undefined;
    const block = known ?? this.#newBlock(event);
    this.#blocks.set(event.block, block);
    return { ...event, block };
  }

  #newBlock({ kind }: BlockEvent): number {
    const { openText, nextBlock } = this.#said;
    return kind === 'text' && openText !== undefined && this.#blocks.size === 0 ? openText : nextBlock;
  }
}
