import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { partnerStubs } from '../../support/partners/partner-stubs.ts';

const keys: ReadonlySet<string> = new Set(['apiKey', 'accessKeyId', 'accessKeySecret']);
const partnerChecks = partnerStubs.flatMap(({ checks }) => checks);

const readMembers = (value: Json | undefined): readonly (readonly [name: string, value: Json])[] =>
  isJsonObject(value) ? Object.entries(value) : [];

const referenceTo = (key: string): string => `\${env:PARTNER_${key}}`;

/** The values of the references to partners' keys. */
export const partnerSecrets: ReadonlyMap<string, string> = new Map(
  partnerChecks
    .flatMap(({ parameters }) => readMembers(parameters.credentials))
    .filter(([name]) => keys.has(name))
    .map(([name, value]) => [referenceTo(name), String(value)]),
);

/** A partner's check in the form that is known here. Keys are references, as required in a saved config. */
const partnerCheck = (id: string, more: JsonObject): JsonObject => {
  const { parameters = {} } = partnerChecks.find((check) => check.id === id) ?? {};
  const credentials = readMembers(parameters.credentials).map(([name, value]) => [
    name,
    keys.has(name) ? referenceTo(name) : value,
  ]);
  return { id, parameters: { ...parameters, credentials: Object.fromEntries(credentials), ...more } };
};

/** In hooks, `deny` belongs to `on_fail`, and credentials belong to a check. */
const partnerHook = (id: string, ...checks: readonly JsonObject[]): JsonObject => ({
  before_request_hooks: [{ type: 'guardrail', id, checks, on_fail: { deny: true } }],
});

const keyed = (provider: string, model: string): JsonObject => ({
  provider,
  api_key: '${env:KEY}',
  override_params: { model },
});

const single: JsonObject = { strategy: { mode: 'single' } };

const gone = (...members: readonly string[]): JsonObject => Object.fromEntries(members.map((member) => [member, null]));

/**
 * How the author of a config with errors would correct it according to its diagnostics, by the number in its name: a JSON merge
 * patch (https://www.rfc-editor.org/rfc/rfc7396). The config that has checks that their service never had has no correction.
 */
const corrections: { readonly [number: string]: JsonObject } = {
  '065': partnerHook(
    'acuvity-scan-guard',
    partnerCheck('acuvity.scan', {
      toxic_threshold: 0.5,
      language_values: 'eng_Latn',
      pii_categories: ['email_address', 'ssn', 'person', 'credit_card', 'phone_number'],
      secrets_categories: ['credentials', 'aws_secret_key', 'private_key', 'alibaba', 'anthropic'],
      timeout: 5000,
    }),
  ),
  '067': partnerHook('bedrock-guardrail', partnerCheck('bedrock.guard', { redact: true, timeout: 5000 })),
  '069': {
    ...partnerHook('javelin-input-guardrails', partnerCheck('javelin.guardrails', {})),
    after_request_hooks: [
      { type: 'guardrail', id: 'javelin-output-guardrails', checks: [partnerCheck('javelin.guardrails', {})] },
    ],
  },
  '071': partnerHook('pangea-org-guard', partnerCheck('pangea.textGuard', { recipe: 'security_recipe', debug: true })),
  '141': {
    before_request_hooks: [
      {
        type: 'guardrail',
        id: 'my_solid_guardrail',
        checks: [{ id: 'default.regexMatch', parameters: { rule: '.*' } }],
      },
    ],
  },
  '233': { ...single, targets: [keyed('openai', 'gpt-4o-mini')] },
  '247': single,
  '251': {
    ...gone('description', 'version', 'metadata', 'hooks', 'rate_limiting', 'budget', 'fallback'),
    strategy: { retry: null },
    targets: [
      { override_params: { model: '@openai/gpt-5-mini', temperature: 0.7, max_completion_tokens: 4096 }, weight: 0.4 },
      { override_params: { model: '@anthropic/claude-haiku-4.5', temperature: 0.7, max_tokens: 4096 }, weight: 0.3 },
    ],
  },
  '275': { cache: { mode: 'simple', max_age: 3600, ...gone('enabled', 'ttl', 'namespace') } },
  '289': {
    before_request_hooks: [
      {
        type: 'guardrail',
        id: 'my_solid_guardrail',
        checks: [{ id: 'default.regexMatch', parameters: { rule: 'test' } }],
      },
    ],
  },
  '301': { targets: [keyed('anthropic', 'claude-opus-4.8'), keyed('openai', 'gpt-5.1')] },
  '303': {
    targets: [
      { virtual_key: 'openai-primary', weight: 0.6 },
      { virtual_key: 'anthropic-fallback', weight: 0.4 },
    ],
  },
};

const patched = (value: Json | undefined, patch: Json): Json => {
  if (!isJsonObject(patch)) return patch;
  const members = new Map(Object.entries(isJsonObject(value) ? value : {}));
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) members.delete(name);
    else members.set(name, patched(members.get(name), change));
  }
  return Object.fromEntries(members);
};

/** Returns a config as its author would correct it, or `undefined` if there is no correction. */
export const corrected = (name: string, config: Json): Json | undefined => {
  const correction = corrections[name.slice(0, 3)];
  return correction === undefined ? undefined : patched(config, correction);
};
