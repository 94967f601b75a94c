import { isJsonObject, type Json } from '../../../schema/json/json.ts';
import { childPointer, fromPointer, type JsonPointer } from '../../../schema/json/pointer.ts';
import type { CompileContext } from '../../resolve/context/compile-context.ts';
import { configMembers } from '../../resolve/providers/config-members.ts';
import type { IrNode } from '../../resolve/tree/ir-node.ts';
import { isReference } from '../../schema-errors/is-reference.ts';
import { type Check, defineCheck, hooksOf } from '../visitor/define-check.ts';

interface Looking {
  readonly reporter: CompileContext['reporter'];
  /** The places where references are allowed. */
  readonly secrets: ReadonlySet<JsonPointer>;
}

const look = (value: Json, pointer: JsonPointer, { reporter, secrets }: Looking): void => {
  if (typeof value === 'string' && isReference(value) && !secrets.has(pointer))
    reporter.report('unread-reference', { pointer, part: 'value' }, {});
};

const lookInside = (value: Json, pointer: JsonPointer, looking: Looking): void => {
  look(value, pointer, looking);
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) lookInside(item, childPointer(pointer, index), looking);
  else if (isJsonObject(value))
    for (const [key, member] of Object.entries(value)) lookInside(member, childPointer(pointer, key), looking);
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

/** Returns the places in a config's own checks where references are resolved. */
const secretPlaces = ({ own }: IrNode): ReadonlySet<JsonPointer> =>
  new Set(
    hooksOf(own)
      .flatMap(({ checks }) => checks)
      .flatMap(({ secrets, parametersAt }) =>
        parametersAt === undefined
          ? []
          : [...secrets.keys()].map((at) => childPointer(parametersAt, ...fromPointer(at))),
      ),
  );

/** Checks that references appear only where they are resolved. In the settings of a provider they are errors of their own. */
export const unreadReferences: Check = defineCheck({
  name: 'unread-references',
  create: ({ reporter }) => ({
    node(node) {
      // If parameters were rejected, it is unknown which of them are secrets.
      if (reporter.failed) return;
      const { pointer, config } = node;
      const looking = { reporter, secrets: secretPlaces(node) };
      for (const field of fields)
        lookInside(configMembers(config)[field] ?? null, childPointer(pointer, field), looking);
    },
  }),
});
