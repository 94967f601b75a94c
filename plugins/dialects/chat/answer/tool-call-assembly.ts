import type { AnswerEvent } from '../../../../schema/conversation/answer.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { defined } from '../../shared/json/defined.ts';
import { mergeJson } from '../../shared/json/merge-json.ts';
import { present } from '../../shared/json/present.ts';
import { ownMembers } from '../../shared/parts/own-value.ts';
import { argumentsText } from '../../shared/request/call-arguments.ts';
import { givenCallId, readCallId } from '../../shared/request/call-ids.ts';
import { CallPlaces } from '../parts/call-places.ts';
import { type CallDefinition, callMembers, decodeDefinition } from '../parts/calls.ts';
import type { DecodeMessage } from '../parts/decode-message.ts';
import { signatureAt } from '../parts/thought-signature.ts';

interface OpenCall {
  readonly block: number;
  /** The provider's id, or empty. */
  id: string;
  /** Arguments that arrived before the name. */
  waiting: string;
  /** The members that only this format has, of the pieces up to the name. */
  readonly own: JsonObject[];
  named: boolean;
  /** Whether this is a call of a function without any arguments so far. */
  isBare: boolean;
}

interface AssembleCalls extends DecodeMessage {
  nextBlock(): number;
}

const findOwn = (piece: JsonObject, { isCustom }: CallDefinition): readonly JsonObject[] =>
  present([ownMembers(piece, 'chat', callMembers[isCustom ? 'custom' : 'function'])?.chat]);

/** The tool calls of one choice, assembled as their pieces arrive. */
export class ToolCallAssembly {
  readonly #choice: number;
  /** The scope of signatures that name none. */
  readonly #scope: string;
  readonly #answer: string;
  readonly #nextBlock: () => number;
  readonly #places = new CallPlaces();
  readonly #byIndex = new Map<number, OpenCall>();

  constructor(choice: number, { scope, answer, nextBlock }: AssembleCalls) {
    this.#choice = choice;
    this.#scope = scope;
    this.#answer = answer;
    this.#nextBlock = nextBlock;
  }

  /** Whether any call has its name. A call without a name does not count. */
  get hasCalls(): boolean {
    return [...this.#byIndex.values()].some(({ named }) => named);
  }

  /** Whether the arguments of a call still wait for its name. */
  get isTorn(): boolean {
    return [...this.#byIndex.values()].some(({ named, waiting }) => !named && waiting !== '');
  }

  /** Adds an empty object as the arguments of calls that never had any, so that they are JSON, as in a whole answer. */
  close(): readonly AnswerEvent[] {
    const bare = [...this.#byIndex.values()].filter(({ named, isBare }) => named && isBare);
    for (const call of bare) call.isBare = false;
    return bare.map(({ block }) => ({ kind: 'tool-arguments', choice: this.#choice, block, text: argumentsText('') }));
  }

  push(piece: JsonObject): readonly AnswerEvent[] {
    const id = givenCallId(piece.id);
    const definition = decodeDefinition(piece);
    const { index, begins } = this.#places.of(piece, definition);
    const thought = begins ? this.#thought(piece) : [];
    const call = this.#byIndex.get(index) ?? this.#begin(index);
    // A call that was announced without an id does not get one later.
    if (call.id === '' && !call.named) call.id = id;
    if (!call.named) call.own.push(...findOwn(piece, definition));
    return [...thought, ...this.#grow(call, definition)];
  }

  /** Reports the signature of a call as a part before it. */
  #thought(piece: JsonObject): readonly AnswerEvent[] {
    const bound = signatureAt(piece, this.#scope);
    return bound === undefined ? [] : [{ kind: 'reasoning', choice: this.#choice, block: this.#nextBlock(), bound }];
  }

  #begin(index: number): OpenCall {
    const call = { block: this.#nextBlock(), id: '', waiting: '', own: [], named: false, isBare: true };
    this.#byIndex.set(index, call);
    return call;
  }

  #grow(call: OpenCall, definition: CallDefinition): readonly AnswerEvent[] {
    call.waiting += definition.arguments;
    return [...this.#name(call, definition), ...this.#arguments(call)];
  }

  #name(call: OpenCall, { name, isCustom }: CallDefinition): readonly AnswerEvent[] {
    if (call.named || name === '') return [];
    call.named = true;
    call.isBare = !isCustom;
    const { block } = call;
    const id = readCallId(call.id, { answer: this.#answer, number: block });
    const input = isCustom ? ('text' as const) : undefined;
    const extensions = call.own.length === 0 ? undefined : { chat: call.own.splice(0).reduce(mergeJson) };
    return [defined({ kind: 'tool-call' as const, choice: this.#choice, block, id, name, input, extensions })];
  }

  #arguments(call: OpenCall): readonly AnswerEvent[] {
    if (!call.named || call.waiting === '') return [];
    const text = call.waiting;
    call.waiting = '';
    call.isBare = false;
    return [{ kind: 'tool-arguments', choice: this.#choice, block: call.block, text }];
  }
}
