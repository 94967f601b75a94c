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

/** Says what is wrong with a session in which another reader could find another model. */
export const unclearSession: string = `its field "${sessionField}" is not a JSON object that has each key once.`;

/** The models that the text of a session names; undefined where it is unclear. */
export const sessionModels = (text: string): FoundModels | undefined => {
  const object = parseObject(text);
  return object === undefined || repeatedKey(Buffer.from(text)) !== undefined ? undefined : bodyModels(object);
};

const fieldModels = ([name, value]: readonly [string, unknown]): readonly FoundModels[] => {
  if (foldName(name) !== sessionField) return [];
  const found = typeof value === 'string' ? sessionModels(value) : undefined;
  return [found ?? { ...noModels, unclear: unclearSession }];
};

/** The models that a form names which was read to be routed, and is passed through with these fields. */
export const formModels = (fields: JsonObject): FoundModels => {
  const found = [bodyModels(fields), ...Object.entries(fields).flatMap(fieldModels)];
  const unclear = found.find((each) => each.unclear !== undefined)?.unclear;
  return {
    called: found.flatMap(({ called }) => called),
    further: found.flatMap(({ further }) => further),
    ...(unclear === undefined ? {} : { unclear }),
  };
};
