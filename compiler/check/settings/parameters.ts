import { configKeys } from '../../../schema/generated/config-keys.ts';
import type { Json } from '../../../schema/json/json.ts';
import { lookUp } from '../../../schema/json/look-up.ts';
import { childPointer, type JsonPointer } from '../../../schema/json/pointer.ts';
import { describeTypes } from '../../../schema/json-schema/type-advice.ts';
import { formatList } from '../../../schema/text/format-list.ts';
import { suggestion } from '../../diagnostics/closest.ts';
import type { CompileContext } from '../../resolve/context/compile-context.ts';
import { nearParameter } from '../../schema-errors/near-parameter.ts';
import { type RequestParameter, requestParameters } from '../../schema-errors/request-parameters.ts';
import { typeHint } from '../../schema-errors/type-hint.ts';
import { describeFound } from '../../schema-errors/words.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** Members of a config that are also parameters of some providers. */
const shared: ReadonlySet<string> = new Set(['name', 'provider', 'cache']);

const readType = (value: Json): RequestParameter['types'][number] => {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'object') return 'object';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value === 'string' ? 'string' : 'boolean';
};

interface Expected {
  readonly expected: string;
  readonly suggestion: string;
}

const describeRange = ({ min, max }: RequestParameter): string => {
  if (min !== undefined && max !== undefined) return `a number from ${min} to ${max}`;
  return `${min === undefined ? 'at most' : 'at least'} ${min ?? max}`;
};

/** Describes what the value of a known parameter must be and what to write, if it is something else. */
const findExpected = (parameter: RequestParameter, value: Json, pointer: JsonPointer): Expected | undefined => {
  const { types, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = parameter;
  const type = readType(value);
  if (!types.includes(type) && !(type === 'integer' && types.includes('number'))) {
    const expected = describeTypes(types);
    return { expected, suggestion: typeHint({ pointer, value, types, expected }) };
  }
  if (value === '') return { expected: 'a string that is not empty', suggestion: 'Write a value, or remove it.' };
  const { words } = parameter;
  if (typeof value === 'string' && words !== undefined && !words.includes(value)) {
    const expected = formatList(
      words.map((word) => `"${word}"`),
      'or',
    );
    return { expected, suggestion: suggestion(value, words, 'Known values') };
  }
  if (typeof value !== 'number' || (value >= min && value <= max)) return undefined;
  const expected = describeRange(parameter);
  return { expected, suggestion: `Write ${expected}.` };
};

const unknownHint = (name: string): string | undefined => {
  if (!shared.has(name) && (configKeys[''] ?? []).includes(name))
    return `Move it up: "${name}" belongs beside "override_params", not inside it.`;
  const near = nearParameter(name);
  return near === undefined ? undefined : `Did you mean "${near}"?`;
};

/** Parameters that contain the question of a request. */
const prompts: ReadonlySet<string> = new Set(['messages', 'input', 'prompt', 'contents']);

const isFilled = (value: Json): boolean => (typeof value === 'string' || Array.isArray(value)) && value.length > 0;

const lookAtBlanks = (value: string, pointer: JsonPointer, reporter: CompileContext['reporter']): void => {
  const plain = value.trim();
  if (plain === value || plain === '') return;
  const words = { what: 'This name', plain: JSON.stringify(plain) };
  reporter.report('stray-blank', { pointer, part: 'value' }, words);
};

const describeValue = (value: Json, { words }: RequestParameter): string => {
  if (typeof value === 'number') return String(value);
  const isShown = value === '' || (typeof value === 'string' && words !== undefined);
  return isShown ? JSON.stringify(value) : describeFound(value);
};

const look = (name: string, value: Json, at: JsonPointer, { reporter }: CompileContext): void => {
  if (prompts.has(name) && isFilled(value))
    reporter.report('replaced-prompt', { pointer: at, part: 'key' }, { parameter: name });
  const known = lookUp(requestParameters, name);
  if (known === undefined) {
    const suggestion = unknownHint(name);
    if (suggestion !== undefined)
      reporter.report('unknown-parameter', { pointer: at, part: 'key' }, { parameter: name, suggestion });
    return;
  }
  if (name === 'model' && typeof value === 'string') lookAtBlanks(value, at, reporter);
  const expected = findExpected(known, value, at);
  const found = describeValue(value, known);
  if (expected !== undefined)
    reporter.report('unlikely-parameter', { pointer: at, part: 'value' }, { parameter: name, ...expected, found });
};

/** Checks the parameters that overrides write against what all providers accept. */
export const parameters: Check = defineCheck({
  name: 'parameters',
  create: (context) => ({
    node({ own: { override_params: params } }) {
      if (params === undefined) return;
      for (const [name, value] of Object.entries(params.value))
        if (value !== null) look(name, value, childPointer(params.pointer, name), context);
    },
  }),
});
