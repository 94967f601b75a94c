import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { findItems, findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import type { AnswerEdit, LeftOut } from '../../../sdk/dialect/answer-edit.ts';
import { defined } from '../../shared/json/defined.ts';
import { omit } from '../../shared/json/omit.ts';
import { CallPlaces } from '../parts/call-places.ts';
import { callText } from '../parts/calls.ts';
import { thinkingText } from '../parts/content-blocks.ts';
import { editChoices, perChoice } from '../parts/edit-choices.ts';
import { ownReasons, withOpenaiReasons } from './finish-reasons.ts';

/** Every part of a list has `type`, and nothing else in an answer without calls does. */
const marks: Readonly<Partial<Record<LeftOut, readonly string[]>>> = {
  'call-index': ['"tool_calls"'],
  'call-type': ['"tool_calls"'],
  'plain-content': ['"type"'],
  'finish-reason': ownReasons.map((reason) => `"${reason}"`),
};

/** Returns the texts of a content that is a list, or undefined for any other content. */
const findTexts = (content: Json | undefined): { readonly text: string; readonly thinking: string } | undefined => {
  if (findItems(content) === undefined) return undefined;
  const parts = toObjects(content);
  return {
    text: parts.map(({ text }) => findText(text) ?? '').join(''),
    thinking: parts.map((part) => (part.type === 'thinking' ? thinkingText(part) : '')).join(''),
  };
};

/**
 * Writes the content of a message as one text and its thinking as `reasoning_content`. `none` is the content of a message without
 * text.
 */
const withPlainContent = (said: JsonObject, none: null | undefined): JsonObject => {
  const texts = findTexts(said.content);
  if (texts === undefined) return said;
  const { text, thinking } = texts;
  return defined({
    ...said,
    content: text === '' ? none : text,
    reasoning_content: thinking === '' ? undefined : thinking,
  }) as JsonObject;
};

/** Returns a call with its type, and with its arguments as text. The API documents them as a text or an object. */
const completedCall = (call: JsonObject): JsonObject => {
  const { type, function: definition } = call;
  const called = findObject(definition);
  return {
    ...call,
    type: findText(type) ?? 'function',
    ...(called === undefined ? {} : { function: { ...called, arguments: callText(called.arguments) } }),
  };
};

/** Returns a further piece of a call without its name, which has been reported; some providers repeat it as an empty text. */
const furtherPiece = (piece: JsonObject): JsonObject => {
  const { name, arguments: text, ...called } = findObject(piece.function) ?? {};
  const completed = defined({
    name: name === '' || name === null ? undefined : name,
    arguments: text === undefined ? undefined : callText(text),
  });
  return defined({
    ...piece,
    type: findText(piece.type),
    function: findObject(piece.function) === undefined ? piece.function : { ...called, ...completed },
  }) as JsonObject;
};

const withCalls = (said: JsonObject, complete: (call: JsonObject) => JsonObject): JsonObject => {
  const calls = findItems(said.tool_calls);
  return calls === undefined
    ? said
    : { ...said, tool_calls: calls.map((call) => (isJsonObject(call) ? complete(call) : call)) };
};

/** Returns a function that completes the pieces of one choice's calls. */
const pieceCompletion = (): ((piece: JsonObject) => JsonObject) => {
  const places = new CallPlaces();
  return (piece) => {
    const { index, begins } = places.of(piece);
    return { index, ...omit(begins ? completedCall(piece) : furtherPiece(piece), new Set(['index'])) };
  };
};

const asItIs = (delta: JsonObject): JsonObject => delta;

const withRole = (delta: JsonObject): JsonObject =>
  findText(delta.role) === undefined ? { ...delta, role: 'assistant' } : delta;

/** Adds to answers what clients of OpenAI's chat completions need but some compatible providers leave out. */
export const completion = (leftOut: readonly LeftOut[]): AnswerEdit => {
  const isPlain = leftOut.includes('plain-content');
  const finish = leftOut.includes('finish-reason') ? withOpenaiReasons : asItIs;
  return {
    // Only the first frame needs a role, and it is edited without a mark.
    marks: [...new Set(leftOut.flatMap((each) => marks[each] ?? []))],
    whole: (body) =>
      editChoices(finish(body), 'message', (message) =>
        withCalls(isPlain ? withPlainContent(message, null) : message, completedCall),
      ),
    stream: () => {
      const pieces = perChoice(pieceCompletion);
      let needsRole = leftOut.includes('role');
      return (chunk) => {
        const begin = needsRole ? withRole : asItIs;
        needsRole = false;
        return editChoices(finish(chunk), 'delta', (delta, choice) => {
          const begun = begin(delta);
          return withCalls(isPlain ? withPlainContent(begun, undefined) : begun, pieces(choice));
        });
      };
    },
  };
};
