import type { JsonObject } from '../../../schema/json/json.ts';
import { parseObject } from '../../../schema/json/parse-json.ts';
import { repeatedKey } from '../../../schema/json/repeated-key.ts';
import { bodyModels } from './body-models.ts';
import { foldName } from './fold-name.ts';
import { type FoundModels, noModels } from './named-models.ts';

/**
 * The folded name of a field whose text is a JSON object that names the model:
 * https://platform.openai.com/docs/api-reference/realtime-calls
 */
export const sessionField = 'session';

/** The error for a session in which another parser might find another model. */
export const unclearSession: string = `its field "${sessionField}" is not a JSON object that has each key once.`;

/** Returns the models that the text of a session names, or undefined if it is ambiguous. */
export const sessionModels = (text: string): FoundModels | undefined => {
  const object = parseObject(text);
  return object === undefined || repeatedKey(Buffer.from(text)) !== undefined ? undefined : bodyModels(object);
};

const fieldModels = ([name, value]: readonly [string, unknown]): readonly FoundModels[] => {
  if (foldName(name) !== sessionField) return [];
  const found = typeof value === 'string' ? sessionModels(value) : undefined;
  return [found ?? { ...noModels, unclear: unclearSession }];
};

/** Returns the models that a form names, if it was read for routing and is passed through with these fields. */
export const formModels = (fields: JsonObject): FoundModels => {
  const found = [bodyModels(fields), ...Object.entries(fields).flatMap(fieldModels)];
  const unclear = found.find((each) => each.unclear !== undefined)?.unclear;
  return {
    called: found.flatMap(({ called }) => called),
    further: found.flatMap(({ further }) => further),
    ...(unclear === undefined ? {} : { unclear }),
  };
};
