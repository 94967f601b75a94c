import { canonicalJson } from '../../schema/json/canonical.ts';
import type { CheckCall, LeafNode, SecretValue, Stage, Target } from '../../schema/plan/plan.ts';
import { defaultTimeoutMs } from '../../schema/plan/schedule.ts';
import { targetModel } from '../../schema/plan/target-model.ts';

/** A leaf without its name and its place in a config. Leaves that are equal here do the same with every request. */
export interface LeafIdentity {
  /** The calls that it makes: their provider, origin, model, credential's reference, headers and edits. */
  readonly call: string;
  /** The call together with its settings: time-outs, retries, checks, caches, breakers. */
  readonly whole: string;
}

/** A secret that is written out has no name that could be compared. */
const withoutSlot = (secret: SecretValue): unknown => (secret.kind === 'slot' ? 'written out' : secret.ref);

const toMembers = (members: { readonly [name: string]: SecretValue }): unknown =>
  Object.fromEntries(Object.entries(members).map(([name, secret]) => [name, withoutSlot(secret)]));

const credentialOf = ({ credential }: Target): unknown => {
  switch (credential?.kind) {
    case 'fields':
      return toMembers(credential.fields);
    case 'keys': {
      const keys = credential.keys.map(({ apiKey, weight }) => [withoutSlot(apiKey), weight]);
      return { keys, accounts: credential.accounts };
    }
    case 'request':
      return 'request';
    case undefined:
      return null;
  }
};

/** A saved provider is compared by what it is, not by its name. */
const providerOf = ({ from }: Target): unknown =>
  from.kind === 'inline' || from.kind === 'saved' ? { provider: from.provider } : from;

/** Returns the parts of a target that determine what is sent, and where to. */
const callParts = (target: Target): Readonly<Record<string, unknown>> => {
  const { upstream, settings, headers, params, prompt, tls, chosenModels } = target;
  const { model: _model, ...override } = params.override;
  return {
    provider: providerOf(target),
    model: targetModel(target),
    ...{ upstream, settings, override, prompt, tls, chosenModels },
    credential: credentialOf(target),
    forward: [...new Set(headers.forward.map((name) => name.toLowerCase()))].sort(),
  };
};

const sortedCodes = (codes: readonly number[]): readonly number[] => [...new Set(codes)].sort((a, b) => a - b);

const checkParts = ({ secrets, ...check }: CheckCall): unknown =>
  secrets === undefined ? check : { ...check, secrets: toMembers(secrets) };

/** Returns the members of a stage that determine what it does. The order of status codes does not matter. */
const stageParts = (stage: Stage): unknown => {
  switch (stage.kind) {
    case 'input-checks':
    case 'output-checks':
      return { ...stage, hooks: stage.hooks.map((hook) => ({ ...hook, checks: hook.checks.map(checkParts) })) };
    case 'retry':
      return { ...stage, on: sortedCodes(stage.on) };
    case 'breaker': {
      const { failures } = stage;
      return failures.kind === 'codes'
        ? { ...stage, failures: { kind: 'codes', codes: sortedCodes(failures.codes) } }
        : stage;
    }
    case 'cache':
      return stage;
  }
};

/** Returns the identity of a leaf. */
export const leafIdentity = ({ stages }: LeafNode, target: Target): LeafIdentity => {
  const call = canonicalJson(callParts(target));
  const { timeoutMs = defaultTimeoutMs, strict, allowedModels, prices } = target;
  const settings = { timeoutMs, strict, allowedModels, prices, stages: stages.map(stageParts) };
  return { call, whole: `${call} ${canonicalJson(settings)}` };
};

/** Whether a secret of a target is written out, so that it cannot be compared. */
export const hasWrittenSecret = ({ credential }: Target): boolean => {
  if (credential?.kind === 'keys') return credential.keys.some(({ apiKey }) => apiKey.kind === 'slot');
  return credential?.kind === 'fields' && Object.values(credential.fields).some(({ kind }) => kind === 'slot');
};
