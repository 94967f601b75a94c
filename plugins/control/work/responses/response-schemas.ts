import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { objectSchema, orNull, seconds, text, textOrNull, titled } from '../../kernel/requests/replies.ts';

const openObject: ParameterSchema = { type: 'object', additionalProperties: true };
const listOfItems: ParameterSchema = { type: 'array', items: openObject };
const numberOrNull: ParameterSchema = { anyOf: [{ type: 'number' }, { type: 'null' }] };

/** The answers of the data path: a response, or an error of a provider. */
export const answers: readonly [ParameterSchema, 'events'] = [openObject, 'events'];

export const responseSchema: ParameterSchema = {
  title: 'Response',
  ...objectSchema(
    {
      ...{ id: text, object: { const: 'response' }, created_at: seconds, model: text, output: listOfItems },
      ...{
        error: orNull({ ...objectSchema({ code: text, message: text }), additionalProperties: true }),
        incomplete_details: orNull({ ...objectSchema({ reason: text }), additionalProperties: true }),
        instructions: { description: 'A text, items, or null.' },
      },
      ...{ metadata: openObject, parallel_tool_calls: { type: 'boolean' }, tools: listOfItems },
      tool_choice: { anyOf: [text, openObject] },
      ...{ temperature: numberOrNull, top_p: numberOrNull },
    },
    { status: text, previous_response_id: textOrNull, usage: orNull(openObject) },
  ),
  additionalProperties: true,
};

export const itemListSchema: ParameterSchema = titled(
  'ResponseItemList',
  objectSchema({
    ...{ object: { const: 'list' }, data: listOfItems, first_id: textOrNull, last_id: textOrNull },
    has_more: { type: 'boolean' },
  }),
);

export const deletedSchema: ParameterSchema = titled(
  'DeletedResponse',
  objectSchema({
    ...{ id: text, object: { const: 'response' }, deleted: { type: 'boolean' } },
  }),
);
