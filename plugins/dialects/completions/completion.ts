import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { findItems, findObject, findText } from '../../../schema/json/loose.ts';
import type { AnswerEdit, LeftOut } from '../../sdk/dialect/answer-edit.ts';

/** Converts a choice with a message, or a piece of one, to a choice with a text. */
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

/** Converts the answers of services that complete texts but answer in the format of chats to text completions. */
export const completion = (leftOut: readonly LeftOut[]): AnswerEdit => ({
  marks: leftOut.includes('text') ? ['"message"', '"delta"'] : [],
  whole: asTextCompletion,
  stream: () => asTextCompletion,
});
