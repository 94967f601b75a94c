import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { findItems, findObject, findText } from '../../../schema/json/loose.ts';
import type { AnswerEdit, LeftOut } from '../../sdk/dialect/answer-edit.ts';

/** A choice with its text in place of a message, or of a piece of one. */
const asTextChoice = (choice: Json): Json => {
  if (!isJsonObject(choice)) return choice;
  const { message, delta, ...rest } = choice;
  const said = findObject(message) ?? findObject(delta);
  if (said === undefined) return choice;
  const { index, finish_reason: finish = null, logprobs = null, ...more } = rest;
  return {
    ...(index === undefined ? {} : { index }),
    ...{ text: findText(said.content) ?? '', logprobs, finish_reason: finish },
    ...more,
  };
};

const asTextCompletion = (body: JsonObject): JsonObject => {
  const choices = findItems(body.choices);
  return choices === undefined ? body : { ...body, object: 'text_completion', choices: choices.map(asTextChoice) };
};

/** Writes answers that have the form of chats, of services that complete texts, as text completions. */
export const completion = (leftOut: readonly LeftOut[]): AnswerEdit => ({
  marks: leftOut.includes('text') ? ['"message"', '"delta"'] : [],
  whole: asTextCompletion,
  stream: () => asTextCompletion,
});
