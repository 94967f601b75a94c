import type { AnswerEvent } from '../../../../schema/conversation/answer.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findNumber, findObject, findText } from '../../../../schema/json/loose.ts';
import { defined } from '../../shared/json/defined.ts';
import { mergeJson } from '../../shared/json/merge-json.ts';
import { present } from '../../shared/json/present.ts';
import { ownMembers } from '../../shared/parts/own-value.ts';
import { argumentsText, CallArguments } from '../../shared/request/call-arguments.ts';
import { givenCallId, readCallId } from '../../shared/request/call-ids.ts';
import { callMembers, callText } from '../parts/calls.ts';
import type { DecodeMessage } from '../parts/decode-message.ts';
import { signatureAt } from '../parts/thought-signature.ts';

interface OpenCall {
  readonly block: number;
  readonly index: number;
  /** The provider's id, or empty. */
  id: string;
  /** Arguments that arrived before the name. */
  waiting: string;
  /** The members that only this format has, of the pieces up to the name. */
  readonly own: JsonObject[];
  named: boolean;
  /** Whether this is a call of a function without any arguments so far. */
  isBare: boolean;
  /** The arguments so far, of a call that was announced without an id. */
  object?: CallArguments;
}

interface AssembleCalls extends DecodeMessage {
  nextBlock(): number;
}

interface CallDefinition {
  readonly name: string;
  readonly arguments: string;
  readonly isCustom: boolean;
}

const decodeDefinition = (piece: JsonObject): CallDefinition => {
  const custom = findObject(piece.custom);
  const definition = custom ?? findObject(piece.function) ?? {};
  return {
    name: findText(definition.name) ?? '',
    arguments: callText(custom === undefined ? definition.arguments : definition.input),
    isCustom: custom !== undefined,
  };
};

const findOwn = (piece: JsonObject, { isCustom }: CallDefinition): readonly JsonObject[] =>
  present([ownMembers(piece, 'chat', callMembers[isCustom ? 'custom' : 'function'])?.chat]);

/** Whether a piece with this id and name, at the index of a call, begins another call. */
const isAnother = ({ id: known, named, object }: OpenCall, id: string, name: string): boolean => {
  if (name === '') return false;
  return id === '' ? object?.isWhole === true : id !== known && (known !== '' || named);
};

/**
 * The tool calls of one choice, assembled as their pieces arrive. A piece belongs to the call at its `index`. If a provider sends
 * no index, or the same one for every call, a new id with a name begins a new call, and without ids, a name after whole arguments
 * does. Some providers give every piece of a call its own id, so an id without a name does not begin a call.
 */
export class ToolCallAssembly {
  readonly #choice: number;
  /** The scope of signatures that name none. */
  readonly #scope: string;
  readonly #answer: string;
  readonly #nextBlock: () => number;
  readonly #calls: OpenCall[] = [];
  /** The last call at each index. */
  readonly #open = new Map<number, OpenCall>();
  readonly #byId = new Map<string, OpenCall>();
  #last = 0;

  constructor(choice: number, { scope, answer, nextBlock }: AssembleCalls) {
    this.#choice = choice;
    this.#scope = scope;
    this.#answer = answer;
    this.#nextBlock = nextBlock;
  }

  /** Whether any call has its name. A call without a name does not count. */
  get hasCalls(): boolean {
    return this.#calls.some(({ named }) => named);
  }

  /** Whether the arguments of a call still wait for its name. */
  get isTorn(): boolean {
    return this.#calls.some(({ named, waiting }) => !named && waiting !== '');
  }

  /** Adds an empty object as the arguments of calls that never had any, so that they are JSON, as in a whole answer. */
  close(): readonly AnswerEvent[] {
    const bare = this.#calls.filter(({ named, isBare }) => named && isBare);
    for (const call of bare) call.isBare = false;
    return bare.map(({ block }) => ({ kind: 'tool-arguments', choice: this.#choice, block, text: argumentsText('') }));
  }

  push(piece: JsonObject): readonly AnswerEvent[] {
    const index = findNumber(piece.index);
    const id = givenCallId(piece.id);
    const definition = decodeDefinition(piece);
    const known = this.#find(index, id, definition.name);
    const thought = known === undefined ? this.#thought(piece) : [];
    const call = known ?? this.#begin(index ?? this.#last);
    this.#last = call.index;
    this.#open.set(call.index, call);
    this.#identify(call, id);
    if (!call.named) call.own.push(...findOwn(piece, definition));
    return [...thought, ...this.#grow(call, definition)];
  }

  /** Returns the call that a piece belongs to, if it has begun. Without an index, the call is found by its id. */
  #find(index: number | undefined, id: string, name: string): OpenCall | undefined {
    const same = this.#byId.get(id);
    if (same !== undefined && (index === undefined || (index === same.index && name === ''))) return same;
    const open = this.#open.get(index ?? this.#last);
    return open === undefined || isAnother(open, id, name) ? undefined : open;
  }

  /** Reports the signature of a call as a part before it. */
  #thought(piece: JsonObject): readonly AnswerEvent[] {
    const bound = signatureAt(piece, this.#scope);
    return bound === undefined ? [] : [{ kind: 'reasoning', choice: this.#choice, block: this.#nextBlock(), bound }];
  }

  #begin(index: number): OpenCall {
    const call = { block: this.#nextBlock(), index, id: '', waiting: '', own: [], named: false, isBare: true };
    this.#calls.push(call);
    return call;
  }

  /** Sets the id of a call. A call keeps its first id; if it was announced without an id, it does not get one later. */
  #identify(call: OpenCall, id: string): void {
    if (id === '' || call.id !== '' || call.named) return;
    call.id = id;
    this.#byId.set(id, call);
  }

  #grow(call: OpenCall, definition: CallDefinition): readonly AnswerEvent[] {
    call.waiting += definition.arguments;
    return [...this.#name(call, definition), ...this.#arguments(call)];
  }

  #name(call: OpenCall, { name, isCustom }: CallDefinition): readonly AnswerEvent[] {
    if (call.named || name === '') return [];
    call.named = true;
    call.isBare = !isCustom;
    if (call.id === '' && !isCustom) call.object = new CallArguments();
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
    call.object?.push(text);
    return [{ kind: 'tool-arguments', choice: this.#choice, block: call.block, text }];
  }
}
