import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { lookUp } from '../json/look-up.ts';
import { childPointer, type JsonPointer, rootPointer } from '../json/pointer.ts';

/** A member with its place in the source. */
export interface SourcedMember {
  readonly name: string;
  readonly value: Json;
  readonly source: JsonPointer;
  /** The source of each item of a list; absent if the items are those at `source`. */
  readonly items?: readonly JsonPointer[];
  /** The sources of parts of the value that are elsewhere in the source. */
  readonly moved?: readonly (readonly [part: JsonPointer, source: JsonPointer])[];
}

/** Portkey's names for the credentials of checks, with the names here. */
const credentialNames: Readonly<Record<string, string>> = {
  api_key: 'apiKey',
  awsAccessKeyId: 'accessKeyId',
  awsRegion: 'region',
  awsSecretAccessKey: 'accessKeySecret',
};

const toCredential = (value: Json): Json =>
  isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [lookUp(credentialNames, name) ?? name, member]))
    : value;

/** Whether a check, or the parameters of one in a guardrail, is enabled. */
const isEnabled = (check: Json): boolean => !isJsonObject(check) || check.is_enabled !== false;

/** Returns an object without a member whose value is the default here. */
const without = (value: JsonObject, name: string, usual: boolean): JsonObject =>
  value[name] === usual ? Object.fromEntries(Object.entries(value).filter(([other]) => other !== name)) : value;

/** Moves the credentials of a check into its parameters, and omits `not` if it is false. */
const withCredentials = (check: Json, credentials: Json | undefined): Json => {
  if (!isJsonObject(check)) return check;
  const { parameters, ...rest } = without(check, 'is_enabled', true);
  const { not, ...others } = isJsonObject(parameters) ? parameters : {};
  const own = others.credentials ?? credentials;
  return {
    ...rest,
    parameters: {
      ...others,
      ...(not === undefined || not === false ? {} : { not }),
      ...(own === undefined ? {} : { credentials: toCredential(own) }),
    },
  };
};

/** Returns an id for a hook without one. Portkey allows that because it only displays ids. */
type NameHook = () => string;

/** Lists all ids in a value. */
const idsIn = (value: Json): readonly Json[] => {
  if (Array.isArray(value)) return value.flatMap((item: Json) => idsIn(item));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => (name === 'id' ? [member] : idsIn(member)));
};

/** Returns a function that names the hooks of a config `hook-1`, `hook-2` and so on, and skips ids that are in use. */
export const hookNamer = (config: Json): NameHook => {
  let known: ReadonlySet<Json> | undefined;
  let last = 0;
  return () => {
    known ??= new Set(idsIn(config));
    do last += 1;
    while (known.has(`hook-${last}`));
    return `hook-${last}`;
  };
};

/** Converts a hook: what happens when it fails is in `on_fail`, it has an id, and its checks have its credentials. */
const toHook = (hook: Json, isBefore: boolean, nameHook: NameHook): Json => {
  if (!isJsonObject(hook) || !Array.isArray(hook.checks)) return hook;
  const {
    id,
    async: isAsync,
    deny,
    credentials,
    on_fail: onFail,
    checks: _checks,
    ...rest
  } = without(hook, 'sequential', false);
  const denies = isBefore && typeof deny === 'boolean';
  // Members that a hook does not support are kept, so that they are refused instead of silently lost.
  const omitsDeny = denies || deny === undefined || deny === false;
  return {
    id: typeof id === 'string' ? id : nameHook(),
    ...rest,
    ...((isBefore && isAsync === false) || isAsync === undefined ? {} : { async: isAsync }),
    ...(omitsDeny ? {} : { deny }),
    checks: hook.checks.filter(isEnabled).map((check) => withCredentials(check, credentials)),
    ...(onFail === undefined && !denies
      ? {}
      : { on_fail: { ...(isJsonObject(onFail) ? onFail : {}), ...(denies ? { deny } : {}) } }),
  };
};

/**
 * Returns a guardrail for a hook that does something hooks here cannot do: run in parallel with the request, or deny a response.
 */
const toGuardrail = (hook: Json, isBefore: boolean): JsonObject | undefined => {
  if (!isJsonObject(hook) || !Array.isArray(hook.checks)) return undefined;
  if (isBefore ? hook.async !== true : hook.deny !== true) return undefined;
  const { type: _type, credentials, checks: _checks, ...others } = without(hook, 'sequential', false);
  const checks = hook.checks.filter(isEnabled);
  const named = new Map<string, Json>();
  for (const check of checks) {
    const made = withCredentials(check, credentials);
    if (!isJsonObject(made) || typeof made.id !== 'string') return undefined;
    const { id, parameters = {} } = made;
    // A guardrail has each name only once. A repeated check gets another name, and its id in its parameters.
    let again = 2;
    while (named.has(`${id}-${again}`)) again += 1;
    if (!named.has(id)) named.set(id, parameters);
    else named.set(`${id}-${again}`, { ...(isJsonObject(parameters) ? parameters : {}), id });
  }
  return { ...others, ...Object.fromEntries(named) };
};

/** Returns a guardrail without its disabled checks. */
const toOwnGuardrail = (guardrail: Json): Json =>
  isJsonObject(guardrail)
    ? Object.fromEntries(
        Object.entries(without(guardrail, 'sequential', false))
          .filter(([, member]) => isEnabled(member))
          .map(([name, member]) => [name, isJsonObject(member) ? without(member, 'is_enabled', true) : member]),
      )
    : guardrail;

interface SourcedItem {
  readonly value: Json;
  readonly at: JsonPointer;
  /** The hook from which it was made; absent if it was a guardrail already. */
  readonly hook?: Json;
}

/** Returns the sources of the credentials of a hook's or guardrail's checks, if they come from the hook. */
const movedCredentials = (
  { value, at, hook }: SourcedItem,
  place: JsonPointer,
): NonNullable<SourcedMember['moved']> => {
  if (!isJsonObject(hook) || !isJsonObject(hook.credentials) || !isJsonObject(value)) return [];
  const names = Object.keys(hook.credentials);
  const checks = Array.isArray(value.checks)
    ? value.checks.map((_, index) => childPointer(place, 'checks', index, 'parameters'))
    : Object.keys(value).map((name) => childPointer(place, name));
  return checks.flatMap((check) =>
    names.map(
      (name) =>
        [
          childPointer(check, 'credentials', lookUp(credentialNames, name) ?? name),
          childPointer(at, 'credentials', name),
        ] as const,
    ),
  );
};

const toItems = (value: Json | undefined, at: JsonPointer): readonly SourcedItem[] =>
  Array.isArray(value) ? value.map((item, index) => ({ value: item, at: childPointer(at, index) })) : [];

const toMember = (name: string, items: readonly SourcedItem[], source: JsonPointer): readonly SourcedMember[] =>
  items.length === 0
    ? []
    : [
        {
          name,
          value: items.map(({ value }) => value),
          source,
          items: items.map(({ at }) => at),
          moved: items.flatMap((item, index) => movedCredentials(item, childPointer(rootPointer, index))),
        },
      ];

/** Converts the hooks of one kind, some of which become guardrails. */
const toMembers = (
  value: JsonObject,
  at: JsonPointer,
  isBefore: boolean,
  nameHook: NameHook,
): readonly SourcedMember[] => {
  const [hooksName, guardrailsName] = isBefore
    ? (['before_request_hooks', 'input_guardrails'] as const)
    : (['after_request_hooks', 'output_guardrails'] as const);
  const itemsOf = (name: string): readonly SourcedItem[] => toItems(value[name], childPointer(at, name));
  const made = itemsOf(hooksName).map((item) => ({ ...item, guardrail: toGuardrail(item.value, isBefore) }));
  const hooks = made
    .filter(({ guardrail }) => guardrail === undefined)
    .map((item) => ({ value: toHook(item.value, isBefore, nameHook), at: item.at, hook: item.value }));
  const guardrails = made.flatMap(({ guardrail, at: from, value: hook }): readonly SourcedItem[] =>
    guardrail === undefined ? [] : [{ value: guardrail, at: from, hook }],
  );
  const own = itemsOf(guardrailsName).map((item) => ({ ...item, value: toOwnGuardrail(item.value) }));
  return [
    ...toMember(hooksName, hooks, childPointer(at, hooksName)),
    ...toMember(guardrailsName, [...own, ...guardrails], childPointer(at, guardrailsName)),
  ];
};

/** The members of a target that contain checks. */
export const hookNames: readonly string[] = [
  ...['before_request_hooks', 'after_request_hooks', 'input_guardrails', 'output_guardrails'],
];

/** Converts these members. */
export const toHooks = (value: JsonObject, at: JsonPointer, nameHook: NameHook): readonly SourcedMember[] => [
  ...toMembers(value, at, true, nameHook),
  ...toMembers(value, at, false, nameHook),
];
