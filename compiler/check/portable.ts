import type { Config } from '../../schema/generated/config.ts';
import { isJsonObject } from '../../schema/json/json.ts';
import { lookUp } from '../../schema/json/look-up.ts';
import { childPointer, type JsonPointer } from '../../schema/json/pointer.ts';
import { beyondFormat, beyondQueries } from './beyond-format.ts';
import { type Check, defineCheck } from './visitor/define-check.ts';

interface Beyond {
  readonly pointer: JsonPointer;
  readonly what: string;
  readonly suggestion: string;
}

const queryPlace = '/strategy/conditions/*/query';

/** A path with more than the two keys that other gateways support. */
const deepPath = /^(?:metadata|params)\.[^.]+\./;

/** Returns what other gateways do not support in a member of a query, and what they would have instead. */
const beyondMember = (name: string, count: number): Omit<Beyond, 'pointer'> | undefined => {
  const suggestion = lookUp(beyondQueries, name);
  if (suggestion !== undefined) return { what: `"${name}" in a query`, suggestion };
  if (deepPath.test(name))
    return {
      what: 'a path of more than two keys in a query',
      suggestion: 'Put the value into the "metadata" of requests.',
    };
  if ((name === '$and' || name === '$or') && count > 1)
    return {
      what: `what is next to "${name}" in a query`,
      suggestion: 'Write one "$and", with a query for each of them.',
    };
  return undefined;
};

/** Returns the members of a query, at any depth, that only this gateway supports. */
const inQuery = (value: unknown, pointer: JsonPointer): readonly Beyond[] => {
  if (Array.isArray(value)) return value.flatMap((each, index) => inQuery(each, childPointer(pointer, index)));
  if (!isJsonObject(value)) return [];
  const members = Object.entries(value);
  return members.flatMap(([name, inner]) => {
    const at = childPointer(pointer, name);
    const beyond = beyondMember(name, members.length);
    const own = beyond === undefined ? [] : [{ pointer: at, ...beyond }];
    return [...own, ...inQuery(inner, at)];
  });
};

/** Returns the members of a value at a place that only this gateway supports. Targets are visited separately. */
const inValue = (value: unknown, place: string, pointer: JsonPointer): readonly Beyond[] => {
  if (place === queryPlace) return inQuery(value, pointer);
  if (Array.isArray(value))
    return value.flatMap((each, index) => inValue(each, `${place}/*`, childPointer(pointer, index)));
  if (!isJsonObject(value) || place === '/override_params') return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const at = childPointer(pointer, name);
    const suggestion = lookUp(beyondFormat, `${place}/${name}`);
    return suggestion === undefined
      ? inValue(inner, `${place}/${name}`, at)
      : [{ pointer: at, what: `"${name}"`, suggestion }];
  });
};

const inConfig = ({ targets: _targets, ...own }: Config, pointer: JsonPointer): readonly Beyond[] =>
  inValue(own, '', pointer);

/** Checks that a config uses nothing that other gateways for its format do not support: for `gw check --portable`. */
export const portable: Check = defineCheck({
  name: 'portable',
  create: ({ reporter }) => ({
    node({ pointer, config, shape }) {
      for (const { pointer: at, ...found } of inConfig(config, pointer))
        reporter.report('not-portable', { pointer: at, part: 'key' }, found);
      if (shape.kind === 'leaf' && shape.source.kind === 'saved' && shape.source.by === 'override_params')
        reporter.report(
          'not-portable',
          { pointer: shape.source.at, part: 'value' },
          {
            what: 'a target that is only a model of a saved provider',
            suggestion: `Write "provider": "@${shape.source.slug}" beside it, and the model without that.`,
          },
        );
    },
  }),
});
