import { parseObject } from '../../../schema/json/parse-json.ts';
import { repeatedKey } from '../../../schema/json/repeated-key.ts';
import { bodyModels } from './body-models.ts';
import { type FoundModels, noModels } from './named-models.ts';

/** Returns the models that the lines of a body name, or undefined if a line is not a JSON object. */
export const lineModels = (text: string): FoundModels | undefined => {
  const called: FoundModels['called'][number][] = [];
  const further: FoundModels['further'][number][] = [];
  let number = 0;
  for (const written of text.split('\n')) {
    number += 1;
    if (written.trim() === '') continue;
    const line = parseObject(written);
    if (line === undefined) return undefined;
    if (repeatedKey(Buffer.from(written)) !== undefined)
      return { ...noModels, unclear: `line ${number} of its body has a key twice.` };
    const found = bodyModels(line, { line: number });
    if (found.unclear !== undefined) return found;
    called.push(...found.called);
    further.push(...found.further);
  }
  return { called, further };
};
