import type { ParameterSchema } from '../../../plugins/sdk/parameters/from-schema.ts';
import type { InputProblem } from '../../../schema/errors/input-problem.ts';
import type { Json } from '../../../schema/json/json.ts';
import { toPointer } from '../../../schema/json/pointer.ts';
import { percentDecoded } from '../../../schema/text/percent-decoded.ts';
import { coerceText } from './coerce-text.ts';
import { type ValidatedPart, validateInput } from './validate-input.ts';

const encodingProblem: InputProblem = {
  in: 'query',
  pointer: toPointer([]),
  message: 'The query is not percent-encoded UTF-8.',
  hint: 'Percent-encode the bytes of its UTF-8.',
};

const repeated = (name: string): InputProblem => ({
  in: 'query',
  pointer: toPointer([name]),
  message: `The query parameter "${name}" occurs more than once.`,
  hint: 'Send it once.',
});

/** Reads a query (empty, or including its `?`) as its schema describes it. */
export const readQuery = (schema: ParameterSchema, search: string): ValidatedPart => {
  if (percentDecoded(search) === undefined) return { value: {}, problems: [encodingProblem] };
  const given = new URLSearchParams(search);
  const problems: InputProblem[] = [];
  const members = [...new Set(given.keys())].map((name): [string, Json] => {
    const described = Object.hasOwn(schema.properties ?? {}, name) ? schema.properties?.[name] : undefined;
    const texts = given.getAll(name);
    if (described?.type === 'array') return [name, texts.map((text) => coerceText(text, described.items))];
    if (texts.length > 1) problems.push(repeated(name));
    return [name, coerceText(texts[0] ?? '', described)];
  });
  const validated = validateInput('query', schema, Object.fromEntries(members));
  return { value: validated.value, problems: [...problems, ...validated.problems] };
};
