import type { Json } from '../../../../schema/json/json.ts';
import type { JsonPointer } from '../../../../schema/json/pointer.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';
import { readPlaces } from '../../kernel/secrets/keep-sealed.ts';

const isReference = (value: Json): boolean =>
  typeof value === 'string' && (/^\s*\$\{.*\}\s*$/.test(value) || /\$\{\s*(?:env|file|saved)\b/i.test(value));

/** The texts in a value that are written like references to secrets, which mean nothing in the store. */
export const referenceProblems = (value: Json, at: JsonPointer): readonly Problem[] =>
  readPlaces(value, isReference, at).map(([pointer]) => ({
    ...problem([], 'References to secrets are not read in what is saved here.', 'Send the value itself.'),
    pointer,
  }));
