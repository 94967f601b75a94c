import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { findItems, findNumber } from '../../../../schema/json/loose.ts';

/** Changes the message or the delta of a choice. `index` is that of the choice. */
export type EditMessage = (said: JsonObject, index: number, choice: JsonObject) => JsonObject;

/** Returns a body with the messages or the deltas of its choices changed. */
export const editChoices = (body: JsonObject, member: 'message' | 'delta', edit: EditMessage): JsonObject => {
  const choices = findItems(body.choices);
  if (choices === undefined) return body;
  const edited = (choice: Json, position: number): Json => {
    if (!isJsonObject(choice)) return choice;
    const said = choice[member];
    const index = findNumber(choice.index) ?? position;
    return isJsonObject(said) ? { ...choice, [member]: edit(said, index, choice) } : choice;
  };
  return { ...body, choices: choices.map(edited) };
};

/** Returns a function that keeps one value for each choice of a stream. */
export const perChoice = <Value>(make: () => Value): ((index: number) => Value) => {
  const made = new Map<number, Value>();
  return (index) => {
    const value = made.get(index) ?? make();
    made.set(index, value);
    return value;
  };
};
