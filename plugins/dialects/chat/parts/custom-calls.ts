import type { JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import type { AnswerEdit } from '../../../sdk/dialect/answer-edit.ts';
import { appendInput, customInput } from '../../shared/request/custom-tool.ts';
import { CallPlaces } from './call-places.ts';
import { decodeDefinition } from './calls.ts';
import { editChoices, perChoice } from './edit-choices.ts';

/** Converts a call of a function that stands for a custom tool to a call of that tool. A model may write only the text. */
const customCall = (call: JsonObject, name: string, text: string): JsonObject => {
  const { function: _, type: _type, ...rest } = call;
  return { ...rest, type: 'custom', custom: { name, input: customInput(parseObject(text)) ?? text } };
};

const wholeCall = (call: JsonObject, names: ReadonlySet<string>): JsonObject => {
  const { name, arguments: text, isCustom } = decodeDefinition(call);
  return !isCustom && names.has(name) ? customCall(call, name, text) : call;
};

interface HeldCall {
  /** Its first piece, with the id. */
  piece: JsonObject;
  /** Empty until a piece has it. */
  name: string;
  /** Its arguments so far. */
  text: string;
}

/** Returns a held call as one piece of a function. */
const toPiece = ({ piece, name, text }: HeldCall): JsonObject => ({
  ...piece,
  function: { ...findObject(piece.function), ...(name === '' ? {} : { name }), arguments: text },
});

/**
 * The calls of one choice of a stream. Calls that stand for calls of custom tools are reported once they are complete, which is
 * before the next call or with the finish. Calls whose name has not come yet are held until it has.
 */
class ChoiceCalls {
  readonly #names: ReadonlySet<string>;
  readonly #places = new CallPlaces();
  readonly #held = new Map<number, HeldCall>();

  constructor(names: ReadonlySet<string>) {
    this.#names = names;
  }

  push(delta: JsonObject, isLast: boolean): JsonObject {
    const pieces = toObjects(delta.tool_calls).flatMap((piece) => this.#piece(piece));
    const all = isLast ? [...pieces, ...this.#release()] : pieces;
    const { tool_calls: calls, ...rest } = delta;
    if (all.length > 0) return { ...rest, tool_calls: all };
    return calls === undefined || calls === null ? delta : rest;
  }

  #piece(wire: JsonObject): readonly JsonObject[] {
    const definition = decodeDefinition(wire);
    const { index, begins } = this.#places.of(wire, definition);
    const piece = { ...wire, index };
    const { name, arguments: text, isCustom } = definition;
    const released = begins ? this.#release() : [];
    const canBeHeld = !isCustom && (name === '' || this.#names.has(name));
    if (begins && canBeHeld) this.#held.set(index, { piece, name: '', text: '' });
    const held = this.#held.get(index);
    return [...released, ...(held === undefined ? [piece] : this.#grow(held, { piece, name, text }))];
  }

  /** Adds a piece to a held call. Returns the whole call if it turns out to be one of another function. */
  #grow(held: HeldCall, { piece, name, text }: HeldCall): readonly JsonObject[] {
    const { id } = piece;
    if (id !== undefined && findText(held.piece.id) === undefined) held.piece = { ...held.piece, id };
    if (held.name === '') held.name = name;
    held.text = appendInput(held.text, text);
    if (held.name === '' || this.#names.has(held.name)) return [];
    this.#held.delete(Number(piece.index));
    return [toPiece(held)];
  }

  #release(): readonly JsonObject[] {
    const released = [...this.#held.values()].map((call) =>
      call.name === '' ? toPiece(call) : customCall(call.piece, call.name, call.text),
    );
    this.#held.clear();
    return released;
  }
}

/** Converts calls of the functions that stand for custom tools with these names to calls of the tools. */
export const customCalls = (names: ReadonlySet<string>): AnswerEdit => ({
  // The finish marks the last piece of a call, and may be in a chunk without calls.
  marks: ['"tool_calls"', '"finish_reason"'],
  whole: (body) =>
    editChoices(body, 'message', (message) =>
      message.tool_calls === undefined || message.tool_calls === null
        ? message
        : { ...message, tool_calls: toObjects(message.tool_calls).map((call) => wholeCall(call, names)) },
    ),
  stream: () => {
    const calls = perChoice(() => new ChoiceCalls(names));
    return (chunk) =>
      editChoices(chunk, 'delta', (delta, index, { finish_reason: reason }) =>
        calls(index).push(delta, findText(reason) !== undefined),
      );
  },
});
