import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { findObject } from '../../../../schema/json/loose.ts';
import { omit } from '../../wire/json/omit.ts';

/** A format as chat completions write it has its schema in a member of its own, which is absent here. */
const toFormat = (format: Json): Json => {
  if (!isJsonObject(format) || !isJsonObject(format.json_schema)) return format;
  return { type: format.type ?? 'json_schema', ...format.json_schema };
};

const neutral: ReadonlySet<string> = new Set([
  'max_tokens',
  'max_completion_tokens',
  'response_format',
  'reasoning_effort',
  'verbosity',
  'messages',
]);

const within = (outer: Json | undefined, members: JsonObject): JsonObject => ({ ...findObject(outer), ...members });

/**
 * Lays parameters with the names of configs on a body. `messages` has no place here, where the input is made of items;
 * what this format lacks stands at the top level, as the config names it.
 */
export const place = (params: JsonObject, body: JsonObject): JsonObject => {
  const { max_tokens, max_completion_tokens, response_format, reasoning_effort, verbosity } = params;
  const limit = max_completion_tokens ?? max_tokens;
  const placed: Record<string, Json> = { ...body, ...omit(params, neutral) };
  if (limit !== undefined && params.max_output_tokens === undefined) placed.max_output_tokens = limit;
  if (reasoning_effort !== undefined) placed.reasoning = within(placed.reasoning, { effort: reasoning_effort });
  if (response_format !== undefined) placed.text = within(placed.text, { format: toFormat(response_format) });
  if (verbosity !== undefined) placed.text = within(placed.text, { verbosity });
  return placed;
};
