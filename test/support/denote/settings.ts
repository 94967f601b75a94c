import type { Json, JsonObject } from '../../../schema/json/json.ts';

/** A hook by its effect: its name, whether it can deny, and when it runs. */
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

/** Fields that belong only to the target or group that has them. Targets inherit all other fields from their group. */
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
  'mirror',
]);

/** Fields that are inherited together: a target with one of them inherits none of them. */
const units = [
  ['before_request_hooks', 'input_guardrails'],
  ['after_request_hooks', 'output_guardrails'],
];

const isReplaced = (field: string): boolean =>
  !own.has(field) && field !== 'override_params' && !units.some((unit) => unit.includes(field));

const only = (config: JsonObject, isWanted: (field: string) => boolean): JsonObject =>
  Object.fromEntries(Object.entries(config).filter(([field]) => isWanted(field)));

/** Returns the fields of a config that are not inherited. */
export const readOwn = (config: JsonObject): JsonObject => only(config, (field) => own.has(field));

/** Returns what the targets of a group inherit from it, including what the group itself inherits. */
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

/** Returns what a mirror's target inherits. */
export const copiedSettings = (settings: JsonObject): JsonObject =>
  only(settings, (field) => field === 'override_params' || field === 'request_timeout');

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
  /** Whether each model, and each class of errors, has its own circuit. */
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
