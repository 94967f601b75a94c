import type { AnswerEvent } from '../../../schema/conversation.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { numberOf, objectOf, textOf } from '../wire/loose.ts';

interface OpenCall {
  readonly block: number;
  readonly id: string;
  /** Arguments that arrived before the name. */
  waiting: string;
  named: boolean;
}

/**
 * The tool calls of one choice, as their pieces arrive. A piece belongs to the call at its `index`; if a provider sends
 * no index, or the same one for every call, a new id begins a new call.
 */
export class ToolCallAssembly {
  readonly #choice: number;
  readonly #nextBlock: () => number;
  readonly #calls = new Map<number, OpenCall>();
  #last = 0;

  constructor(choice: number, nextBlock: () => number) {
    this.#choice = choice;
    this.#nextBlock = nextBlock;
  }

  push(piece: JsonObject): readonly AnswerEvent[] {
    const index = numberOf(piece.index) ?? this.#last;
    const id = textOf(piece.id) ?? '';
    const definition = objectOf(piece.function) ?? {};
    const call = this.#callAt(index, id);
    this.#last = index;
    call.waiting += textOf(definition.arguments) ?? '';
    return [...this.#name(call, textOf(definition.name) ?? ''), ...this.#arguments(call)];
  }

  #callAt(index: number, id: string): OpenCall {
    const open = this.#calls.get(index);
    if (open !== undefined && (id === '' || id === open.id)) return open;
    const block = this.#nextBlock();
    const call = { block, id: id === '' ? `gw-call-${block}` : id, waiting: '', named: false };
    this.#calls.set(index, call);
    return call;
  }

  #name(call: OpenCall, name: string): readonly AnswerEvent[] {
    if (call.named || name === '') return [];
    call.named = true;
    return [{ kind: 'tool-call', choice: this.#choice, block: call.block, id: call.id, name }];
  }

  #arguments(call: OpenCall): readonly AnswerEvent[] {
    if (!call.named || call.waiting === '') return [];
    const text = call.waiting;
    call.waiting = '';
    return [{ kind: 'tool-arguments', choice: this.#choice, block: call.block, text }];
  }
}
