import { guardrailParameters, guardrailSchema } from '../../../plugins/sdk/guardrail/guardrail-parameters.ts';
import { formatPlaces } from '../../../plugins/sdk/parameters/format-places.ts';
import type { ParameterSchema } from '../../../plugins/sdk/parameters/from-schema.ts';
import { findCheck } from '../../../plugins/sdk/plugin/catalogue.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { childPointer, fromPointer, type JsonPointer } from '../../../schema/json/pointer.ts';
import { withValues } from '../../../schema/json/with-values.ts';
import { suggestion } from '../../diagnostics/closest.ts';
import type { Place } from '../../diagnostics/reporter.ts';
import { reportShape } from '../../schema-errors/report-shape.ts';
import { reportSlashes } from '../conditions/report-slashes.ts';
import type { CompileContext } from '../context/compile-context.ts';
import { reportCredentials } from '../secrets/report-credentials.ts';
import { reportSecret } from '../secrets/report-secret.ts';
import type { IrCheck } from '../tree/ir-hook.ts';

export interface CheckText {
  /** The check's name as it is written. */
  readonly name: string;
  readonly nameAt: Place;
  readonly parameters: JsonObject;
  readonly parametersAt: JsonPointer;
  /** The place at which findings are shown if the check is in another file. */
  readonly shownAt?: Place;
}

/** Returns the full name of a check. A name without a dot is one of the built-in checks. */
export const checkName = (text: string): string => (text.includes('.') ? text : `default.${text}`);

const readTimeout = (timeout: unknown): { readonly timeoutMs?: number } =>
  typeof timeout === 'number' ? { timeoutMs: timeout } : {};

/** Parameters without their secrets, and the secrets by their places. */
interface LiftedSecrets {
  readonly parameters: JsonObject;
  readonly secrets: ReadonlyMap<JsonPointer, string>;
}

/** Removes from a check's parameters what its schema declares secret. An empty string is not a secret. */
const liftSecrets = (schema: ParameterSchema, parameters: JsonObject): LiftedSecrets => {
  const places = formatPlaces(schema, parameters, 'secret').filter(({ text }) => text !== '');
  if (places.length === 0) return { parameters, secrets: new Map() };
  const plain = withValues(parameters, new Map(places.map(({ at }) => [at, ''])));
  return {
    parameters: isJsonObject(plain) ? plain : parameters,
    secrets: new Map(places.map(({ at, text }) => [at, text])),
  };
};

/** Builds one check of a hook. Its parameters are validated against its own schema. */
export const buildCheck = (text: CheckText, context: CompileContext): IrCheck => {
  const { catalogue, reporter, patterns } = context;
  const name = checkName(text.name);
  const guardrail = findCheck(catalogue, name);
  const nameAt = text.shownAt ?? text.nameAt;
  const check: IrCheck = {
    name: guardrail?.id ?? name,
    id: guardrail?.id ?? name,
    parameters: text.parameters,
    secrets: new Map(),
    failOnError: false,
    pointer: nameAt.pointer,
    ...(text.shownAt === undefined ? { parametersAt: text.parametersAt } : {}),
  };
  if (guardrail === undefined) {
    const ids = [...catalogue.checks.values()].map((known) => known.id);
    const hint = text.name === 'feedback' ? 'Move "feedback" into "on_fail" or "on_success".' : suggestion(name, ids);
    reporter.report('unknown-check', nameAt, { check: name, suggestion: hint });
    return check;
  }
  // A saved check belongs to the operator, whoever names it.
  const written = text.shownAt === undefined ? formatPlaces(guardrail.parameters, text.parameters, 'regex') : [];
  if (!written.every((pattern) => patterns.admits(pattern.text))) {
    reporter.report('patterns-too-large', { pointer: text.parametersAt, part: 'value' }, {});
    return { ...check, guardrail };
  }
  const { errors, ownErrors: reasons, value, own } = guardrailParameters(guardrail, text.parameters);
  reportShape(errors, {
    value: text.parameters,
    base: text.parametersAt,
    reporter,
    keysAt: guardrailSchema(guardrail.parameters).keysAt,
    ...(text.shownAt === undefined ? {} : { toShownPlace: (): Place => nameAt }),
  });
  const errorsAt = text.shownAt ?? { pointer: text.parametersAt, part: 'value' };
  for (const error of reasons)
    reporter.report('invalid-parameters', errorsAt, { check: `"${guardrail.id}"`, why: error.replace(/\.$/, '') });
  if (errors.length + reasons.length > 0) return { ...check, guardrail };
  if (guardrail.readsFlags !== true)
    for (const { at, text: pattern } of written)
      reportSlashes(pattern, { pointer: childPointer(text.parametersAt, ...fromPointer(at)), part: 'value' }, reporter);
  const lifted = liftSecrets(guardrail.parameters, own);
  // The secrets of a saved guardrail are checked where it is saved.
  if (text.shownAt === undefined)
    for (const [at, secret] of lifted.secrets)
      reportSecret(secret, { pointer: childPointer(text.parametersAt, ...fromPointer(at)), part: 'value' }, context);
  if (text.shownAt === undefined) reportCredentials(lifted.parameters, text.parametersAt, context);
  const { failOnError, timeout, id } = value;
  return {
    ...check,
    guardrail,
    valid: lifted.parameters,
    secrets: lifted.secrets,
    ...(typeof id === 'string' ? { id } : {}),
    ...readTimeout(timeout ?? guardrail.timeoutMs?.(own)),
    failOnError: failOnError === true,
    ...(guardrail.retries?.(own) === true ? { retries: true } : {}),
  };
};
