import { isJsonObject, type Json } from '../../schema/json.ts';
import { childPointer, type JsonPointer } from '../../schema/pointer.ts';
import type { CompileContext } from '../ir/compile-context.ts';
import { isReference } from '../validate/is-reference.ts';
import { type Check, defineCheck } from './define-check.ts';

const look = (value: Json, pointer: JsonPointer, { reporter }: CompileContext): void => {
  if (typeof value === 'string' && isReference(value))
    reporter.report('unread-reference', { pointer, part: 'value' }, {});
};

const lookInside = (value: Json, pointer: JsonPointer, context: CompileContext): void => {
  look(value, pointer, context);
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) lookInside(item, childPointer(pointer, index), context);
  else if (isJsonObject(value))
    for (const [key, member] of Object.entries(value)) lookInside(member, childPointer(pointer, key), context);
};

const fields = [
  'override_params',
  'forward_headers',
  'strategy',
  'before_request_hooks',
  'after_request_hooks',
  'input_guardrails',
  'output_guardrails',
] as const;

/** References appear only where they are resolved. In the settings of a provider they are errors of their own. */
export const unreadReferences: Check = defineCheck({
  name: 'unread-references',
  create: (context) => ({
    node({ pointer, config }) {
      // Members of a config are JSON.
      for (const field of fields) lookInside((config[field] ?? null) as Json, childPointer(pointer, field), context);
    },
  }),
});
