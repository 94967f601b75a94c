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

/** The members of a query, at any depth, that only this gateway reads. */
const inQuery = (value: unknown, pointer: JsonPointer): readonly Beyond[] => {
  if (Array.isArray(value)) return value.flatMap((each, index) => inQuery(each, childPointer(pointer, index)));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const at = childPointer(pointer, name);
    const suggestion = lookUp(beyondQueries, name);
    const own = suggestion === undefined ? [] : [{ pointer: at, what: `"${name}" in a query`, suggestion }];
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
