import type { Json, JsonObject } from '../../../schema/json/json.ts';

/** A hook as it works: what it is called, whether it can deny, and when. */
export interface Hook {
  readonly id: string;
  readonly async: boolean;
  readonly denyOnFail: boolean;
  readonly denyOnSuccess: boolean;
}

const objectAt = (config: JsonObject, key: string): JsonObject => {
  const value = config[key];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
};

const listAt = (config: JsonObject, key: string): readonly JsonObject[] =>
  Array.isArray(config[key]) ? (config[key] as readonly JsonObject[]) : [];

/** Fields that belong to the one target or group that has them. Whatever is not here, its targets take from a group. */
const own: ReadonlySet<string> = new Set([
  'name',
  'provider',
  'api_key',
  'keys',
  'accounts',
  'virtual_key',
  'weight',
  'strategy',
  'targets',
  'on_status_codes',
  'deadline_ms',
]);

/** Fields that stand and fall together: a target with one of them takes none from its group. */
const units = [
  ['before_request_hooks', 'input_guardrails'],
  ['after_request_hooks', 'output_guardrails'],
];

const isReplaced = (field: string): boolean =>
  !own.has(field) && field !== 'override_params' && !units.some((unit) => unit.includes(field));

const only = (config: JsonObject, isWanted: (field: string) => boolean): JsonObject =>
  Object.fromEntries(Object.entries(config).filter(([field]) => isWanted(field)));

/** What a config says of itself alone. */
export const readOwn = (config: JsonObject): JsonObject => only(config, (field) => own.has(field));

/** What the targets of a group take from it, the group's own inheritance included. */
export const readSettings = (config: JsonObject, inherited: JsonObject): JsonObject => ({
  ...only(inherited, isReplaced),
  ...only(config, isReplaced),
  ...Object.assign(
    {},
    ...units.map((unit) => {
      const stated = only(config, (field) => unit.includes(field));
      return Object.keys(stated).length > 0 ? stated : only(inherited, (field) => unit.includes(field));
    }),
  ),
  override_params: { ...objectAt(inherited, 'override_params'), ...objectAt(config, 'override_params') },
});

export const inputHooks = (settings: JsonObject): readonly Hook[] => [
  ...listAt(settings, 'before_request_hooks').map((hook) => ({
    id: String(hook.id),
    async: false,
    denyOnFail: objectAt(hook, 'on_fail').deny === true,
    denyOnSuccess: objectAt(hook, 'on_success').deny === true,
  })),
  ...listAt(settings, 'input_guardrails').map(guardrail),
];

export const outputHooks = (settings: JsonObject): readonly Hook[] => [
  ...listAt(settings, 'after_request_hooks').map((hook) => ({
    id: String(hook.id),
    async: hook.async === true,
    denyOnFail: false,
    denyOnSuccess: false,
  })),
  ...listAt(settings, 'output_guardrails').map(guardrail),
];

const guardrail = (one: JsonObject): Hook => ({
  id: String(one.id),
  async: one.async === true,
  denyOnFail: one.deny === true || objectAt(one, 'on_fail').deny === true,
  denyOnSuccess: objectAt(one, 'on_success').deny === true,
});

export interface Retry {
  readonly attempts: number;
  readonly on: readonly Json[];
  readonly heeded: boolean;
}

export const readRetry = (settings: JsonObject): Retry => {
  const { attempts = 0, on_status_codes: on, use_retry_after_headers: heeded } = objectAt(settings, 'retry');
  return {
    attempts: Number(attempts),
    on: Array.isArray(on) ? on : [429, 500, 502, 503, 504, 529],
    heeded: heeded === true,
  };
};

const listed = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

export interface Breaker {
  readonly threshold: number;
  readonly cooldownMs: number;
  /** Whether the models of a request, and the classes of errors, have circuits of their own. */
  readonly divided: { readonly model: boolean; readonly error: boolean };
  readonly isFailure: (answer: { readonly status: number; readonly origin: string }) => boolean;
}

export const findBreaker = (settings: JsonObject): Breaker | undefined => {
  const breaker = settings.cb_config;
  if (breaker === undefined) return undefined;
  const {
    failure_threshold: threshold,
    cooldown_interval: cooldown,
    failure_status_codes: codes,
  } = breaker as JsonObject;
  const by = listed(objectAt(settings, 'breaker').by);
  return {
    divided: { model: by.includes('model'), error: by.includes('error') },
    threshold: Number(threshold),
    cooldownMs: Number(cooldown),
    isFailure: ({ status, origin }) =>
      Array.isArray(codes) ? codes.includes(status) : status > 500 || (status === 408 && origin === 'timeout'),
  };
};
