import type { ParameterSchema } from '../../../plugins/sdk/parameters/from-schema.ts';
import type { AnyRouteRow } from '../../../plugins/sdk/route/route-row.ts';
import { paramNames } from '../../../plugins/sdk/route/route-row-error.ts';
import type { InputProblem } from '../../../schema/errors/input-problem.ts';
import type { Json } from '../../../schema/json/json.ts';
import { toPointer } from '../../../schema/json/pointer.ts';
import { percentDecoded } from '../../../schema/text/percent-decoded.ts';
import { coerceText } from './coerce-text.ts';
import { type ValidatedPart, validateInput } from './validate-input.ts';

const controls = /\p{Cc}/u;

const error = (text: string | undefined): string | undefined => {
  if (text === undefined) return 'is not percent-encoded UTF-8';
  return controls.test(text) ? 'contains a control character' : undefined;
};

/** Returns the schema of a path's parameters. Each is a text unless the route says more. */
export const paramsSchema = ({ path, params }: Pick<AnyRouteRow, 'path' | 'params'>): ParameterSchema => {
  const names = paramNames(path);
  const texts = Object.fromEntries(names.map((name): [string, ParameterSchema] => [name, { type: 'string' }]));
  return { type: 'object', properties: texts, ...params, required: names };
};

/** Reads the parameters of a path, each percent-decoded once. */
export const readParams = (schema: ParameterSchema, written: Readonly<Record<string, string>>): ValidatedPart => {
  const problems: InputProblem[] = [];
  const value: { [name: string]: Json } = {};
  for (const [name, raw] of Object.entries(written)) {
    const text = percentDecoded(raw);
    const why = error(text);
    if (why === undefined) value[name] = coerceText(text ?? '', schema.properties?.[name]);
    else
      problems.push({
        in: 'path',
        pointer: toPointer([name]),
        message: `"${name}" ${why}.`,
        hint: 'Percent-encode the bytes of its UTF-8, without control characters.',
      });
  }
  return problems.length > 0 ? { value, problems } : validateInput('path', schema, value);
};
