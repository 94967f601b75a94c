import type { ParameterSchema } from '../../plugins/sdk/from-schema.ts';
import { patternTexts } from '../../plugins/sdk/parameters/pattern-texts.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { JsonPointer } from '../../schema/pointer.ts';
import { suggestion } from '../diagnostics/closest.ts';
import type { Place } from '../diagnostics/reporter.ts';
import { commonParameters, parameterValidator } from '../validate/parameter-validator.ts';
import { reportShape } from '../validate/report-shape.ts';
import type { CompileContext } from './compile-context.ts';
import type { IrCheck } from './ir-hook.ts';

export interface CheckText {
  /** The check's name as it is written. */
  readonly name: string;
  readonly nameAt: Place;
  readonly parameters: JsonObject;
  readonly parametersAt: JsonPointer;
  /** All places are shown here: the check stands in another file. */
  readonly shownAt?: Place;
}

/** A name without a dot is one of the built-in checks. */
export const checkName = (text: string): string => (text.includes('.') ? text : `default.${text}`);

const withoutCommon = (parameters: JsonObject, declared: ParameterSchema['properties']): JsonObject =>
  Object.fromEntries(
    Object.entries(parameters).filter(
      ([name]) => !Object.hasOwn(commonParameters, name) || (declared !== undefined && Object.hasOwn(declared, name)),
    ),
  );

/** One check of a hook, its parameters judged by its own schema. */
export const buildCheck = (text: CheckText, { catalogue, reporter, patterns }: CompileContext): IrCheck => {
  const name = checkName(text.name);
  const guardrail = catalogue.checks.get(name.toLowerCase());
  const nameAt = text.shownAt ?? text.nameAt;
  const check: IrCheck = {
    name: guardrail?.id ?? name,
    id: guardrail?.id ?? name,
    parameters: text.parameters,
    failOnError: false,
    pointer: nameAt.pointer,
  };
  if (guardrail === undefined) {
    const ids = [...catalogue.checks.values()].map((known) => known.id);
    const hint = text.name === 'feedback' ? 'Move "feedback" into "on_fail" or "on_success".' : suggestion(name, ids);
    reporter.report('unknown-check', nameAt, { check: name, suggestion: hint });
    return check;
  }
  // What is saved is the operator's, whoever names it.
  const own = text.shownAt === undefined ? patternTexts(guardrail.parameters, text.parameters) : [];
  if (!own.every((pattern) => patterns.admits(pattern))) {
    reporter.report('patterns-too-large', { pointer: text.parametersAt, part: 'value' }, {});
    return { ...check, guardrail };
  }
  const { errors, value, keysAt } = parameterValidator(guardrail.parameters)(text.parameters);
  reportShape(errors, {
    value: text.parameters,
    base: text.parametersAt,
    reporter,
    keysAt,
    ...(text.shownAt === undefined ? {} : { placeOf: (): Place => nameAt }),
  });
  if (errors.length > 0) return { ...check, guardrail };
  const { failOnError, timeout, id } = value;
  return {
    ...check,
    guardrail,
    valid: withoutCommon(value, guardrail.parameters.properties),
    ...(typeof id === 'string' ? { id } : {}),
    ...(typeof timeout === 'number' ? { timeoutMs: timeout } : {}),
    failOnError: failOnError === true,
  };
};
