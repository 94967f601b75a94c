import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { findObject } from '../../../../schema/json/loose.ts';
import { omit } from '../../shared/json/omit.ts';

/** Converts a format. In chat completions it has its schema in a separate member, which does not exist here. */
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
 * Sets parameters, which have the names of configs, on a body. `messages` has no place here, because the input consists of items.
 * Parameters that this format lacks go at the top level under the config's name.
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
