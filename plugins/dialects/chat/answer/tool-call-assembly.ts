import type { AnswerEvent } from '../../../../schema/conversation/answer.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findNumber, findObject, findText } from '../../../../schema/json/loose.ts';
import { defined } from '../../wire/json/defined.ts';
import { callText } from '../parts/call-text.ts';
import { signatureAt } from '../parts/thought-signature.ts';

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
  /** Of signatures that name none. */
  readonly #scope: string;
  readonly #nextBlock: () => number;
  readonly #calls = new Map<number, OpenCall>();
  #last = 0;

  constructor(choice: number, scope: string, nextBlock: () => number) {
    this.#choice = choice;
    this.#scope = scope;
    this.#nextBlock = nextBlock;
  }

  push(piece: JsonObject): readonly AnswerEvent[] {
    const index = findNumber(piece.index) ?? this.#last;
    const id = findText(piece.id) ?? '';
    this.#last = index;
    const open = this.#calls.get(index);
    if (open !== undefined && (id === '' || id === open.id)) return this.#grow(open, piece);
    const thought = this.#thought(piece);
    return [...thought, ...this.#grow(this.#begin(index, id), piece)];
  }

  /** The signature of a call is a part before it. */
  #thought(piece: JsonObject): readonly AnswerEvent[] {
    const bound = signatureAt(piece, this.#scope);
    return bound === undefined ? [] : [{ kind: 'reasoning', choice: this.#choice, block: this.#nextBlock(), bound }];
  }

  #begin(index: number, id: string): OpenCall {
    const block = this.#nextBlock();
    const call = { block, id: id === '' ? `gw-call-${block}` : id, waiting: '', named: false };
    this.#calls.set(index, call);
    return call;
  }

  #grow(call: OpenCall, piece: JsonObject): readonly AnswerEvent[] {
    const custom = findObject(piece.custom);
    const definition = custom ?? findObject(piece.function) ?? {};
    call.waiting += callText(custom === undefined ? definition.arguments : definition.input);
    const name = findText(definition.name) ?? '';
    return [...this.#name(call, name, custom !== undefined), ...this.#arguments(call)];
  }

  #name(call: OpenCall, name: string, isCustom: boolean): readonly AnswerEvent[] {
    if (call.named || name === '') return [];
    call.named = true;
    const { block, id } = call;
    const input = isCustom ? ('text' as const) : undefined;
    return [defined({ kind: 'tool-call' as const, choice: this.#choice, block, id, name, input })];
  }

  #arguments(call: OpenCall): readonly AnswerEvent[] {
    if (!call.named || call.waiting === '') return [];
    const text = call.waiting;
    call.waiting = '';
    return [{ kind: 'tool-arguments', choice: this.#choice, block: call.block, text }];
  }
}
