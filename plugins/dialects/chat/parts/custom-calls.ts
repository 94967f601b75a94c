import type { JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import type { AnswerEdit } from '../../../sdk/dialect/answer-edit.ts';
import { appendInput, customInput } from '../../shared/request/custom-tool.ts';
import { CallPlaces } from './call-places.ts';
import { callText } from './calls.ts';
import { editChoices, perChoice } from './edit-choices.ts';

/** Converts a call of a function that stands for a custom tool to a call of that tool. A model may write only the text. */
const customCall = (call: JsonObject, name: string, text: string): JsonObject => {
  const { function: _, type: _type, ...rest } = call;
  return { ...rest, type: 'custom', custom: { name, input: customInput(parseObject(text)) ?? text } };
};

const calledIn = (call: JsonObject): { readonly name: string; readonly text: string } => {
  const { name, arguments: text } = findObject(call.function) ?? {};
  return { name: findText(name) ?? '', text: callText(text) };
};

const wholeCall = (call: JsonObject, names: ReadonlySet<string>): JsonObject => {
  const { name, text } = calledIn(call);
  return names.has(name) ? customCall(call, name, text) : call;
};

interface HeldCall {
  /** Its first piece. */
  readonly piece: JsonObject;
  readonly name: string;
  /** Its arguments so far. */
  text: string;
}

/**
 * The calls of one choice of a stream. Calls that stand for calls of custom tools are reported once they are complete, which is
 * before the next call or with the finish.
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

  #piece(piece: JsonObject): readonly JsonObject[] {
    const { index, begins } = this.#places.of(piece);
    const { name, text } = calledIn(piece);
    const released = begins ? this.#release() : [];
    if (begins && this.#names.has(name)) this.#held.set(index, { piece: { ...piece, index }, name, text: '' });
    const held = this.#held.get(index);
    if (held === undefined) return [...released, { ...piece, index }];
    held.text = appendInput(held.text, text);
    return released;
  }

  #release(): readonly JsonObject[] {
    const released = [...this.#held.values()].map(({ piece, name, text }) => customCall(piece, name, text));
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
