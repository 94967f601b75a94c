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

/** A path of more than the two keys that other gateways read. */
const deepPath = /^(?:metadata|params)\.[^.]+\./;

/** Finds what other gateways do not read in a member of a query, and what they would have in its place. */
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
      what: `what stands beside "${name}" in a query`,
      suggestion: 'Write one "$and", with a query for each of them.',
    };
  return undefined;
};

/** The members of a query, at any depth, that only this gateway reads. */
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

/** The members of a value at a place that only this gateway reads. Targets are visited by themselves. */
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

/** A config says nothing that other gateways for its format do not know: for `gw check --portable`. */
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
