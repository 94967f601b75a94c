import { parseObject } from '../../../schema/json/parse-json.ts';
import { repeatedKey } from '../../../schema/json/repeated-key.ts';
import { bodyModels } from './body-models.ts';
import { type ModelsThere, nothingThere } from './named-models.ts';

/** The models that the lines of a body name; undefined if one of its lines is no JSON object. */
export const lineModels = (text: string): ModelsThere | undefined => {
  const called: ModelsThere['called'][number][] = [];
  const further: ModelsThere['further'][number][] = [];
  let number = 0;
  for (const written of text.split('\n')) {
    number += 1;
    if (written.trim() === '') continue;
    const line = parseObject(written);
    if (line === undefined) return undefined;
    if (repeatedKey(Buffer.from(written)) !== undefined)
      return { ...nothingThere, unclear: `line ${number} of its body has a key twice.` };
    const there = bodyModels(line, { line: number });
    if (there.unclear !== undefined) return there;
    called.push(...there.called);
    further.push(...there.further);
  }
  return { called, further };
};
