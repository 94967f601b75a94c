import { firstSpelling } from '../../schema/config/provider-fields.ts';
import type { Config } from '../../schema/generated/config.ts';
import { configKeys } from '../../schema/generated/config-keys.ts';
import { validateConfig } from '../../schema/generated/validate-config.ts';
import { isJsonObject, type Json } from '../../schema/json/json.ts';
import { valueAt } from '../../schema/json/look-up.ts';
import { childPointer, fromPointer, type JsonPointer, rootPointer } from '../../schema/json/pointer.ts';
import type { ShapeError } from '../../schema/json-schema/shape-error.ts';
import type { Reporter } from '../diagnostics/reporter.ts';
import type { ConfigDocument } from '../parse/config-document.ts';
import { describeMissing } from './describe-missing.ts';
import { keyHint } from './key-hint.ts';
import { otherFile } from './other-file.ts';
import { reportShape } from './report-shape.ts';
import { soundness, type UsableParts, withoutUnsound } from './usable-parts.ts';
import { describePlace } from './words.ts';

/** A config whose members all have the right shape; others were removed. */
export interface ShapedConfig {
  readonly config: Config;
  readonly sound: UsableParts;
}

const isCombination = ({ schemaPath }: ShapeError): boolean => schemaPath.startsWith('#/anyOf');

/** Whether another check reports the error in better words, as those of conditional strategies do. */
const isLeftToChecks = ({ keyword, schemaPath }: ShapeError): boolean =>
  keyword === 'if' || schemaPath.endsWith('/then/required');

/** Whether a config is half of a group, which another check reports. */
const isHalfGroup = (value: unknown): boolean => {
  if (!isJsonObject(value)) return false;
  const { strategy, targets } = value;
  if (strategy === undefined) return targets !== undefined;
  return targets === undefined && isJsonObject(strategy) && strategy.mode !== 'single';
};

// A pointer without its last token is still a pointer.
const toParent = (pointer: JsonPointer): JsonPointer =>
  pointer.slice(0, Math.max(0, pointer.lastIndexOf('/'))) as JsonPointer;

/** Returns a place and the absent objects around it, because a setting that belongs in an object implies the object. */
const withAbsentParents = (pointer: JsonPointer, value: Json): readonly JsonPointer[] =>
  pointer === rootPointer || valueAt(value, fromPointer(pointer)) !== undefined
    ? [pointer]
    : [pointer, ...withAbsentParents(toParent(pointer), value)].filter(
        (at) => at === pointer || valueAt(value, fromPointer(at)) === undefined,
      );

/** Returns a place, and the place of the same field in its first spelling, which later steps use. */
const withFirstSpelling = (pointer: JsonPointer): readonly JsonPointer[] => {
  const name = fromPointer(pointer).at(-1) ?? '';
  const first = firstSpelling(name);
  return first === name ? [pointer] : [pointer, childPointer(toParent(pointer), first)];
};

/** Returns the configs that match none of the valid combinations. */
const tooLittle = (errors: readonly ShapeError[]): readonly JsonPointer[] =>
  errors.filter((error) => error.keyword === 'anyOf' && isCombination(error)).map(({ instancePath }) => instancePath);

/** Checks the shape of a whole config. An error removes only its own member; the rest is still used. */
export const checkShape = ({ value, file }: ConfigDocument, reporter: Reporter): ShapedConfig => {
  const errors = validateConfig(value);
  // The validator has just checked that the value is a `Config`, or where it is not one; those members are removed.
  if (errors.length === 0) return { config: value as Config, sound: soundness(new Set()) };
  const other = otherFile(value, 'config', file);
  if (other !== undefined) {
    reporter.report('wrong-file', { pointer: rootPointer, part: 'value' }, other);
    return { config: {} as Config, sound: soundness(new Set([rootPointer])) };
  }
  const own = errors.filter((error) => !isCombination(error) && !isLeftToChecks(error));
  const unsound = reportShape(own, {
    value,
    base: rootPointer,
    reporter,
    keysAt: (schemaPath) => configKeys[schemaPath] ?? [],
    keyHint,
  });
  const misplaced = unsound.flatMap(({ pointer, meant }) => (meant === undefined ? [pointer] : [pointer, meant]));
  const misspelt = new Set(misplaced.flatMap((pointer) => [pointer, toParent(pointer)]));
  const poor: JsonPointer[] = [];
  for (const pointer of tooLittle(errors)) {
    const found = valueAt(value, fromPointer(pointer));
    if (isHalfGroup(found)) continue;
    poor.push(pointer);
    const missing = misspelt.has(pointer) ? undefined : describeMissing(found);
    if (missing !== undefined)
      reporter.report('no-valid-combination', { pointer, part: 'key' }, { what: describePlace(pointer), ...missing });
  }
  const given = unsound.map(({ pointer }) => pointer);
  const meant = unsound.flatMap(({ meant: at }) => (at === undefined ? [] : withAbsentParents(at, value)));
  const rest = withoutUnsound(value, new Set(given));
  return {
    config: (isJsonObject(rest) ? rest : {}) as Config,
    sound: soundness(new Set([...given, ...meant, ...poor].flatMap(withFirstSpelling))),
  };
};
