import type { InputProblem } from '../../../../schema/errors/input-problem.ts';
import { statusOfCause } from '../../../../schema/http/status.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import { toPointer } from '../../../../schema/json/pointer.ts';
import { suggestName } from '../../../../schema/text/closest-name.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { endBeforeStart, refuse } from '../../kernel/requests/refusals.ts';
import type { RecordRow } from '../writer/log-store.ts';
import { readLabels } from '../writer/to-record.ts';

type Column = keyof RecordRow;

/** The record members that can be filtered, and their columns. */
const texts = {
  trace_id: 'trace_id',
  key_id: 'key_id',
  config: 'config',
  plan: 'plan',
  method: 'method',
  path: 'path',
  operation: 'operation',
  leaf: 'leaf',
  target: 'target',
  prompt_slug: 'prompt',
  provider: 'provider',
  slug: 'slug',
  requested_model: 'requested_model',
  model: 'model',
  cause: 'cause',
  end: 'ending',
  cache_status: 'cache_status',
  source: 'source',
} as const satisfies { readonly [name: string]: Column };

const flags = { is_success: 'is_success', fell_back: 'fell_back', balanced: 'balanced' } as const satisfies {
  readonly [name: string]: Column;
};

/** The column of each number, and its factor there. */
const numbers = {
  status: ['status', 1],
  ms: ['micros', 1000],
  attempt_count: ['attempts', 1],
  retry_count: ['retries', 1],
  input_tokens: ['input_tokens', 1],
  output_tokens: ['output_tokens', 1],
  cost_nano_usd: ['cost', 1],
} as const satisfies { readonly [name: string]: readonly [Column, number] };

const allowed: { readonly [name: string]: readonly string[] } = {
  end: ['complete', 'left', 'cut'],
  cache_status: ['HIT', 'SEMANTIC HIT', 'MISS', 'SEMANTIC MISS', 'REFRESH', 'DISABLED'],
  source: ['gateway', 'sent'],
};

/** A number that both databases can compare with a column. */
const whole = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const;
const duration = { type: 'number', minimum: 0, maximum: 1e12, description: 'Milliseconds.' } as const;
const time = { type: 'number', minimum: 0, maximum: 253_402_300_799 } as const;

const properties: { readonly [name: string]: ParameterSchema } = {
  ...Object.fromEntries(
    Object.keys(texts).map((name) => [
      name,
      { type: 'string', ...(name in allowed ? { enum: allowed[name] } : { maxLength: 2048 }) },
    ]),
  ),
  ...Object.fromEntries(Object.keys(flags).map((name) => [name, { type: 'boolean' }])),
  ...Object.fromEntries(
    Object.keys(numbers)
      .flatMap((name) => [name, `min_${name}`, `max_${name}`])
      .map((name) => [name, name.endsWith('ms') ? duration : whole]),
  ),
  time_min: { ...time, description: 'Seconds since the epoch: records of that time and later.' },
  time_max: { ...time, description: 'Seconds since the epoch: records before that time.' },
};

/**
 * Creates the schema of the query that filters records, with additional members for the route. `metadata.<name>` is the text of a
 * label.
 */
export const filterSchema = (further: { readonly [name: string]: ParameterSchema } = {}): ParameterSchema => ({
  type: 'object',
  properties: { ...properties, ...further },
  additionalProperties: { type: 'string', maxLength: 2048, description: 'metadata.<name>: the value of a label.' },
});

/** A comparison of a column. */
export interface Comparison {
  readonly column: Column;
  readonly is: '=' | '>=' | '<=';
  readonly value: string | number;
}

/** A filter of records, of which all conditions must match. */
export interface RecordFilter {
  readonly comparisons: readonly Comparison[];
  /** The labels as they are stored. */
  readonly labels: readonly (readonly [name: string, value: string])[];
  /** In milliseconds since the epoch: from `min`, inclusive, to `max`, exclusive. */
  readonly min?: number;
  readonly max?: number;
}

const prefix = 'metadata.';

const unknownMember = (name: string, known: readonly string[]): InputProblem => ({
  in: 'query',
  pointer: toPointer([name]),
  message: `There is no filter "${name.slice(0, 64)}".`,
  hint: suggestName(
    name,
    [...known, 'metadata.name'],
    'Labels are metadata.<name>; GET /v1/openapi.json lists the others.',
  ),
});

/** Logs show a provider's error response as a cause, but record it as a status. */
const causeProblem = ({ cause }: JsonObject): readonly InputProblem[] => {
  const status = typeof cause === 'string' ? statusOfCause(cause) : undefined;
  if (status === undefined) return [];
  return [
    {
      in: 'query',
      pointer: toPointer(['cause']),
      message: `No record has the cause "upstream-${status}": that status came from a provider and not from the gateway.`,
      hint: `Filter by the status ${status} instead.`,
    },
  ];
};

const numberComparison = (name: string, value: number): Comparison | undefined => {
  const [, bound = '', bare = name] = /^(min|max)_(.*)$/.exec(name) ?? [];
  const [column, factor] = lookUp<readonly [Column, number]>(numbers, bare) ?? [];
  if (column === undefined || factor === undefined) return undefined;
  return { column, is: bound === 'min' ? '>=' : bound === 'max' ? '<=' : '=', value: Math.round(value * factor) };
};

const findComparison = (name: string, value: unknown): Comparison | undefined => {
  const [text, flag] = [lookUp<Column>(texts, name), lookUp<Column>(flags, name)];
  if (text !== undefined && typeof value === 'string') return { column: text, is: '=', value };
  if (flag !== undefined) return { column: flag, is: '=', value: value === true ? 1 : 0 };
  return typeof value === 'number' ? numberComparison(name, value) : undefined;
};

/** Reads a query that its schema has validated. Throws the `GatewayError` `invalid-input` for unknown members. */
export const readFilter = (query: JsonObject, further: readonly string[] = []): RecordFilter => {
  const comparisons: Comparison[] = [];
  const labels: (readonly [string, string])[] = [];
  const problems: InputProblem[] = [...causeProblem(query)];
  const known = [...Object.keys(properties), ...further];
  for (const [name, value] of Object.entries(query)) {
    const comparison = findComparison(name, value);
    if (comparison !== undefined) comparisons.push(comparison);
    // Truncated like stored labels.
    else if (name.startsWith(prefix))
      labels.push(...Object.entries(readLabels({ [name.slice(prefix.length)]: value })));
    else if (!known.includes(name)) problems.push(unknownMember(name, known));
  }
  const { time_min: min, time_max: max } = query;
  if (typeof min === 'number' && typeof max === 'number' && max < min) problems.push(endBeforeStart('time_max'));
  refuse(problems);
  return {
    comparisons,
    labels,
    ...(typeof min === 'number' ? { min: Math.ceil(min * 1000) } : {}),
    ...(typeof max === 'number' ? { max: Math.ceil(max * 1000) } : {}),
  };
};
