import { isJsonObject, type Json, type JsonObject } from '../../../schema/json.ts';

const isInstruction = (message: Json): boolean =>
  isJsonObject(message) && (message.role === 'system' || message.role === 'developer');

/**
 * The first of the messages that input checks judge: those after the last message of the model, or that one itself where
 * nothing follows it. Instructions before the first turn are not judged, unless there is nothing else.
 */
export const judgedFrom = (messages: readonly Json[], isModel: (message: JsonObject) => boolean): number => {
  const last = messages.findLastIndex((message) => isJsonObject(message) && isModel(message));
  if (last !== -1) return last === messages.length - 1 ? last : last + 1;
  return Math.max(
    messages.findIndex((message) => !isInstruction(message)),
    0,
  );
};
