import type { AnswerEvent } from '../../../../schema/conversation/answer.ts';
import { withExactNumbers } from '../../../../schema/json/exact-numbers.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findItems, findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { defined } from '../../shared/json/defined.ts';
import { ownMembers } from '../../shared/parts/own-value.ts';
import { decodeInput } from '../../shared/request/call-input.ts';
import { callMembers } from '../parts/calls.ts';

type Key = string | number;
type Value = Json | Tree;

/** An incomplete object or list. Its keys are never used as members of an object of this program. */
class Tree {
  readonly members = new Map<Key, Value>();

  toJson(): Json {
    const entries = [...this.members].map(([key, value]): [Key, Json] => [
      key,
      value instanceof Tree ? value.toJson() : value,
    ]);
    const isList = entries.length > 0 && entries.every(([key]) => typeof key === 'number');
    if (!isList) return Object.fromEntries(entries);
    return entries.toSorted(([a], [b]) => Number(a) - Number(b)).map(([, value]) => value);
  }
}

/** A member by its name, an item by its index, or a member whose name is quoted. */
const step = /\.?([^.[\]]+)|\[(\d+)\]|\[(?:'([^']*)'|"([^"]*)")\]/y;

/** The deepest place that can be filled in, because values are written recursively. JSON may not be nested deeper either. */
const maxLevels = 1000;

/**
 * Returns the keys of a JSON path to a single place, such as `$.rooms[0]['wall colour']`:
 * https://datatracker.ietf.org/doc/html/rfc9535
 */
const toKeys = (path: string): readonly Key[] => {
  const keys: Key[] = [];
  step.lastIndex = path.startsWith('$') ? 1 : 0;
  for (let match = step.exec(path); match !== null; match = step.exec(path)) {
    const [, name, index, single, double] = match;
    keys.push(index === undefined ? (name ?? single ?? double ?? '') : Number(index));
  }
  return keys;
};

const pieceValue = (piece: JsonObject): Json => {
  if (typeof piece.boolValue === 'boolean') return piece.boolValue;
  if (typeof piece.numberValue === 'number') return withExactNumbers(piece).numberValue ?? null;
  return findText(piece.stringValue) ?? null;
};

/**
 * The arguments of a call that arrive in pieces, each with its place:
 * https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling
 */
class PartialArguments {
  readonly #root = new Tree();

  push(pieces: Json | undefined): void {
    for (const piece of toObjects(pieces)) this.#set(toKeys(findText(piece.jsonPath) ?? ''), pieceValue(piece));
  }

  toText(): string {
    return JSON.stringify(this.#root.toJson());
  }

  /** Sets the value at a place. If a text is there already, the value continues it. */
  #set(keys: readonly Key[], value: Json): void {
    const last = keys.at(-1);
    if (last === undefined || keys.length > maxLevels) return;
    let tree = this.#root;
    for (const key of keys.slice(0, -1)) {
      const known = tree.members.get(key);
      const next = known instanceof Tree ? known : new Tree();
      tree.members.set(key, next);
      tree = next;
    }
    const before = tree.members.get(last);
    tree.members.set(last, typeof before === 'string' && typeof value === 'string' ? before + value : value);
  }
}

const none: readonly AnswerEvent[] = [];

const hasArguments = ({ args, partialArgs }: JsonObject): boolean => (args ?? partialArgs ?? null) !== null;

interface OpenCall {
  readonly block: number;
  /** The provider's id, or empty. */
  readonly id: string;
  readonly args: PartialArguments;
}

/** The members of a candidate's decoder that decoding its calls needs. */
export interface CallOwner {
  readonly choice: number;
  nextBlock(): number;
  /** Creates an id for a call that has none. */
  makeId(): string;
}

/** Decodes the calls of a candidate. Each arrives whole, or its arguments follow in pieces as long as `willContinue` is set. */
export class CallDecoder {
  readonly #owner: CallOwner;
  #open: OpenCall | undefined;
  /** Whether any call has begun. */
  hasCalls = false;

  constructor(owner: CallOwner) {
    this.#owner = owner;
  }

  /** Decodes a call, or a piece of the one before. If neither has a name, a call with arguments is reported with an empty one. */
  push(call: JsonObject, part: JsonObject): readonly AnswerEvent[] {
    const name = findText(call.name);
    const id = findText(call.id) ?? '';
    if (name === undefined && (this.#open !== undefined || !hasArguments(call))) return this.#continue(call);
    // Some services repeat the name and the id in every piece.
    if (id !== '' && id === this.#open?.id && findObject(call.args) === undefined) return this.#continue(call);
    const before = this.close();
    this.hasCalls = true;
    const { choice } = this.#owner;
    const block = this.#owner.nextBlock();
    const start = defined({
      kind: 'tool-call' as const,
      choice,
      block,
      id: id === '' ? this.#owner.makeId() : id,
      name: name ?? '',
      extensions: ownMembers(part, 'gemini', callMembers),
    });
    if (call.willContinue === true || findItems(call.partialArgs) !== undefined) {
      this.#open = { block, id, args: new PartialArguments() };
      return [...before, start, ...this.#continue(call)];
    }
    const { arguments: text, ...input } = decodeInput(findObject(call.args));
    return [...before, { ...start, ...input }, { kind: 'tool-arguments', choice, block, text }];
  }

  /** Completes the arguments of the open call. */
  close(): readonly AnswerEvent[] {
    if (this.#open === undefined) return none;
    const { block, args } = this.#open;
    this.#open = undefined;
    return [{ kind: 'tool-arguments', choice: this.#owner.choice, block, text: args.toText() }];
  }

  #continue(call: JsonObject): readonly AnswerEvent[] {
    this.#open?.args.push(call.partialArgs);
    return call.willContinue === true ? none : this.close();
  }
}
