import { bodyModels } from '../../../../plugins/sdk/models/body-models.ts';
import { foldName } from '../../../../plugins/sdk/models/fold-name.ts';
import { type FoundModels, noModels } from '../../../../plugins/sdk/models/named-models.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import { repeatedKey } from '../../../../schema/json/repeated-key.ts';

const unclearSession: FoundModels = {
  ...noModels,
  unclear: 'its field "session" is not a JSON object that has each key once.',
};

/** A field whose text is a JSON object that names the model: https://platform.openai.com/docs/api-reference/realtime-calls */
const sessionModels = ([name, value]: readonly [string, unknown]): readonly FoundModels[] => {
  if (foldName(name) !== 'session') return [];
  const object = typeof value === 'string' ? parseObject(value) : undefined;
  const isClear = typeof value === 'string' && object !== undefined && repeatedKey(Buffer.from(value)) === undefined;
  return [isClear ? bodyModels(object) : unclearSession];
};

/** The models that a form names which was read to be routed, and is passed through with these fields. */
export const formModels = (fields: JsonObject): FoundModels => {
  const found = [bodyModels(fields), ...Object.entries(fields).flatMap(sessionModels)];
  const unclear = found.find((each) => each.unclear !== undefined)?.unclear;
  return {
    called: found.flatMap(({ called }) => called),
    further: found.flatMap(({ further }) => further),
    ...(unclear === undefined ? {} : { unclear }),
  };
};
