import { canonicalJson } from '../../../schema/json/canonical.ts';
import { isJsonObject, type Json } from '../../../schema/json/json.ts';
import { childPointer, type JsonPointer } from '../../../schema/json/pointer.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** Returns the indexes of the items that equal an earlier one. */
const repeated = (keys: readonly (string | number | undefined)[]): readonly number[] =>
  keys.flatMap((key, index) => (key !== undefined && keys.indexOf(key) < index ? [index] : []));

/**
 * Identifies an item that has no effect the second time: a status, a saved guardrail, a header, or a check with the same
 * parameters.
 */
const plain = (item: Json): string | number | undefined => {
  if (typeof item === 'number') return item;
  if (typeof item === 'string') return item.toLowerCase();
  return isJsonObject(item) ? canonicalJson(item) : undefined;
};

const describe = (item: Json | undefined): string =>
  typeof item === 'object' ? 'The same guardrail' : JSON.stringify(item);

/** Checks that nothing is listed twice. */
export const duplicates: Check = defineCheck({
  name: 'duplicates',
  create: ({ reporter }) => {
    const look = (list: readonly Json[] | undefined, pointer: JsonPointer, name: string): void => {
      for (const index of repeated((list ?? []).map(plain)))
        reporter.report(
          'duplicate-item',
          {
            pointer: childPointer(pointer, index),
            part: 'value',
            fix: { kind: 'safe', edits: [{ kind: 'remove', at: childPointer(pointer, index) }] },
          },
          { what: describe(list?.[index]), list: name, suggestion: 'Remove one of the two.' },
        );
    };
    return {
      node({ pointer, config }) {
        const { retry, strategy, cb_config: breaker, deployments = [] } = config;
        const at = (...path: readonly string[]): JsonPointer => childPointer(pointer, ...path);
        look(retry?.on_status_codes, at('retry', 'on_status_codes'), 'on_status_codes');
        look(strategy?.on_status_codes, at('strategy', 'on_status_codes'), 'on_status_codes');
        look(breaker?.failure_status_codes, at('cb_config', 'failure_status_codes'), 'failure_status_codes');
        // The members of a config are JSON.
        for (const field of ['on_status_codes', 'forward_headers', 'input_guardrails', 'output_guardrails'] as const)
          look(config[field] as readonly Json[] | undefined, at(field), field);
        for (const index of repeated(
          deployments.map(({ is_default: isDefault }) => (isDefault === true ? 1 : undefined)),
        ))
          reporter.report(
            'duplicate-item',
            { pointer: childPointer(at('deployments'), index, 'is_default'), part: 'key' },
            {
              what: '"is_default": true',
              list: 'deployments',
              suggestion: 'Keep one; only the first default is used.',
            },
          );
        for (const index of repeated(deployments.map(({ alias }) => alias)))
          reporter.report(
            'duplicate-item',
            { pointer: childPointer(at('deployments'), index, 'alias'), part: 'value' },
            {
              what: `The alias "${deployments[index]?.alias}"`,
              list: 'deployments',
              suggestion: 'Give it another alias, or remove it; only the first one is used.',
            },
          );
      },
    };
  },
});
