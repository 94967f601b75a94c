import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import { createdCheck } from '../../../plugins/sdk/guardrail/created-check.ts';
import type { Credential } from '../../../plugins/sdk/provider/provider.ts';
import { withoutSecrets } from '../../../plugins/sdk/provider/without-secrets.ts';
import { isNonEmpty, type Json, type JsonObject } from '../../../schema/json/json.ts';
import type { JsonPointer } from '../../../schema/json/pointer.ts';
import { withValues } from '../../../schema/json/with-values.ts';
import type { CheckCall, SecretValue } from '../../../schema/plan/plan.ts';
import type { LinkContext } from '../call/context.ts';
import type { CreatedCheck, PlanCheck } from '../guardrail-verdicts/created-check.ts';
import { hiddenCredential } from '../target/hidden-credential.ts';
import { changedTexts } from './changed-texts.ts';

const nothingMasked = (text: string): string => text;
const allShown = (data: Json): Json => data;

type Secrets = readonly (readonly [JsonPointer, SecretValue])[];

/** Object keys of plans are pointers where the type says so. */
const toSecrets = ({ secrets = {} }: CheckCall): Secrets =>
  (Object.keys(secrets) as JsonPointer[]).flatMap((pointer) => {
    const secret = secrets[pointer];
    return secret === undefined ? [] : [[pointer, secret] as const];
  });

/**
 * Creates a check of a plan. It is created once when the plan is linked, or, if the request's config brings secrets for it, once
 * for each config's secrets: what one caller brings is never used for another.
 */
export const createCheck = (call: CheckCall, context: LinkContext): PlanCheck => {
  const { check: id, parameters } = call;
  const isTenants = context.tenantChecks.has(call);
  const services = isTenants ? context.tenantServices : context.services;
  const key = `${isTenants} ${id} ${JSON.stringify(parameters)} ${JSON.stringify(call.secrets ?? {})}`;
  const known = context.checks.get(key);
  if (known !== undefined) {
    known.isShared = true;
    return known;
  }
  const guardrail = context.names.check(id);
  if (guardrail === undefined) throw new RangeError(`There is no check "${id}".`);
  const secrets = toSecrets(call);

  const create = (slots: readonly string[]): CreatedCheck => {
    if (!isNonEmpty(secrets))
      return { check: createdCheck(guardrail, { parameters, services }), masked: nothingMasked, shown: allShown };
    const values = secrets.map(([pointer, secret]): readonly [JsonPointer, Json] => [
      pointer,
      (secret.kind === 'slot' ? slots[secret.slot] : context.secrets(secret.ref)) ?? '',
    ]);
    const credential = Object.fromEntries(values.map(([pointer, value]) => [pointer, String(value)]));
    // With the places filled in, the parameters are still an object.
    const whole = withValues(parameters, new Map(values)) as JsonObject;
    return {
      check: createdCheck(guardrail, { parameters: whole, services, secrets: credential }),
      masked: (text) => withoutSecrets(text, credential),
      shown: shownWithout(credential),
    };
  };

  const of = secrets.some(([, { kind }]) => kind === 'slot') ? perSecrets(create) : always(create([]));
  const made = { of, isShared: false };
  context.checks.set(key, made);
  return made;
};

const shownWithout = (credential: Credential): CreatedCheck['shown'] => {
  const hidden = hiddenCredential(credential);
  return hidden === null ? allShown : (data) => changedTexts(data, (text) => hidden.text(text));
};

const always = (created: CreatedCheck) => (): CreatedCheck => created;

/** The requests of one config share the same list of secrets. */
const perSecrets = (create: (slots: readonly string[]) => CreatedCheck): ((exchange: Exchange) => CreatedCheck) => {
  const made = new WeakMap<readonly string[], CreatedCheck>();
  return ({ secrets }) => {
    const created = made.get(secrets) ?? create(secrets);
    made.set(secrets, created);
    return created;
  };
};
