import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import { findObject, findText } from '../../../../schema/json/loose.ts';
import { hasOnlyBudgets } from '../../shared/claude/claude-thinking.ts';

/** The parameters of configs that have another name in this format. */
const renamed: Readonly<Record<string, (value: Json) => JsonObject>> = {
  max_completion_tokens: (value) => ({ max_tokens: value }),
  stop: (value) => ({ stop_sequences: typeof value === 'string' ? [value] : value }),
};

/** Returns adaptive thinking in place of a budget, or of disabled thinking, which would take precedence over an effort. */
const besideEffort = (params: JsonObject, { thinking, model }: JsonObject): JsonObject => {
  const asked = findObject(params.thinking ?? thinking)?.type ?? 'adaptive';
  const isKept = asked === 'adaptive' || hasOnlyBudgets(findText(params.model ?? model) ?? '');
  return isKept ? {} : { thinking: { type: 'adaptive' } };
};

/** Returns the format with its schema. A format without a schema has no equivalent here. */
const findFormat = (format: Json | undefined): JsonObject | undefined => {
  const schema = isJsonObject(format) ? findObject(format.json_schema)?.schema : undefined;
  return schema === undefined ? undefined : { type: 'json_schema', schema };
};

/** Converts parameters of a config to the names in a body of messages. Other members of `output_config` are kept. */
export const ownParams = (params: JsonObject, body: JsonObject): JsonObject => {
  const { reasoning_effort: effort, response_format: wanted, ...rest } = params;
  const format = findFormat(wanted);
  const output = { ...(effort === undefined ? {} : { effort }), ...(format === undefined ? {} : { format }) };
  return Object.assign(
    {},
    ...Object.entries(rest).map(([name, value]) => lookUp(renamed, name)?.(value) ?? { [name]: value }),
    ...(wanted === undefined || format !== undefined ? [] : [{ response_format: wanted }]),
    ...(effort === undefined ? [] : [besideEffort(params, body)]),
    ...(Object.keys(output).length === 0
      ? []
      : [{ output_config: { ...findObject(params.output_config ?? body.output_config), ...output } }]),
  );
};
