import type { Json } from '../../../schema/json/json.ts';
import { defineGuardrail, type Guardrail } from '../../sdk/guardrail/guardrail.ts';
import { requestTypes } from '../shared/request-types.ts';

/** Reads a list, or one text with commas. */
const readList = (value: Json | undefined): readonly string[] => {
  const items = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value.map(String) : [];
  return items.map((item) => item.trim()).filter((item) => item !== '');
};

/** Returns the first list that is not empty: that of the config, otherwise that in the metadata of the request. */
const firstFilled = (...values: readonly (Json | undefined)[]): readonly string[] =>
  values.map(readList).find((list) => list.length > 0) ?? [];

const list = {
  anyOf: [{ type: 'array', items: { type: 'string', minLength: 1 } }, { type: 'string' }],
} as const;

interface Judged {
  readonly names: readonly string[];
  readonly allowed: readonly string[];
  readonly blocked: readonly string[];
}

const toVerdict = ({ names, allowed, blocked }: Judged): readonly [pass: boolean, why: string] => {
  const isNamed = (type: string): boolean => names.includes(type);
  if (blocked.some(isNamed)) return [false, 'is blocked'];
  if (allowed.length === 0) return [true, 'is not blocked'];
  return allowed.some(isNamed) ? [true, 'is allowed'] : [false, 'is not one of the allowed types'];
};

/** The type of the request must be one of `allowedTypes`, if there are any, and none of `blockedTypes`. */
export const allowedRequestTypes: Guardrail = defineGuardrail({
  id: 'default.allowedRequestTypes',
  phases: ['input'],
  parameters: {
    type: 'object',
    properties: {
      allowedTypes: { ...list, description: 'The allowed types; if absent, the metadata "supported_endpoints".' },
      blockedTypes: { ...list, description: 'The blocked types; if absent, the metadata "blocked_endpoints".' },
    },
  },
  faults({ allowedTypes, blockedTypes }) {
    const blocked = new Set(readList(blockedTypes));
    const both = readList(allowedTypes).filter((type) => blocked.has(type));
    return both.map((type) => `"${type}" is both allowed and blocked. Remove it from one of the lists.`);
  },
  create({ allowedTypes, blockedTypes }) {
    return ({ metadata, request }) => {
      const names = requestTypes(request);
      const [pass, why] = toVerdict({
        names,
        allowed: firstFilled(allowedTypes, metadata.supported_endpoints),
        blocked: firstFilled(blockedTypes, metadata.blocked_endpoints),
      });
      return { pass, data: { explanation: `The request type "${names[0]}" ${why}.`, requestType: names[0] } };
    };
  },
});
