import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { lookUp } from '../json/look-up.ts';
import { childPointer, type JsonPointer, rootPointer } from '../json/pointer.ts';

/** A member with the place that it has in the source. */
export interface SourcedMember {
  readonly name: string;
  readonly value: Json;
  readonly source: JsonPointer;
  /** Where each item of a list comes from; absent where the items are those at `source`. */
  readonly items?: readonly JsonPointer[];
  /** Where parts of the value come from that stand elsewhere in the source. */
  readonly moved?: readonly (readonly [part: JsonPointer, source: JsonPointer])[];
}

/** Names that a credential of a check has elsewhere. */
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

/** Whether a check, or a guardrail's parameters of one, is not turned off. */
const isEnabled = (check: Json): boolean => !isJsonObject(check) || check.is_enabled !== false;

/** An object without a member that says what is so here in any case. */
const without = (value: JsonObject, name: string, usual: boolean): JsonObject =>
  value[name] === usual ? Object.fromEntries(Object.entries(value).filter(([other]) => other !== name)) : value;

/** A check has its credentials among its parameters. One that is not reversed says nothing by it. */
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

/** Gives an id to a hook that has none, as hooks there may, where they only show it. */
type NameHook = () => string;

/** All that something in a value has as its id. */
const idsIn = (value: Json): readonly Json[] => {
  if (Array.isArray(value)) return value.flatMap((item: Json) => idsIn(item));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => (name === 'id' ? [member] : idsIn(member)));
};

/** Names the hooks of a config `hook-1`, `hook-2` and so on, without the ids that are there. */
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

/** A hook says what it does where it fails, has an id, and its checks have the credentials that it has. */
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
  // What a hook does not do stays, so that it is refused and not lost without a word.
  const isUnsaid = denies || deny === undefined || deny === false;
  return {
    id: typeof id === 'string' ? id : nameHook(),
    ...rest,
    ...((isBefore && isAsync === false) || isAsync === undefined ? {} : { async: isAsync }),
    ...(isUnsaid ? {} : { deny }),
    checks: hook.checks.filter(isEnabled).map((check) => withCredentials(check, credentials)),
    ...(onFail === undefined && !denies
      ? {}
      : { on_fail: { ...(isJsonObject(onFail) ? onFail : {}), ...(denies ? { deny } : {}) } }),
  };
};

/** The guardrail in place of a hook that does what hooks do not: run beside the request, or deny an answer. */
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
    // A guardrail has each name once; a check that is there again says in its parameters which one it is.
    let again = 2;
    while (named.has(`${id}-${again}`)) again += 1;
    if (!named.has(id)) named.set(id, parameters);
    else named.set(`${id}-${again}`, { ...(isJsonObject(parameters) ? parameters : {}), id });
  }
  return { ...others, ...Object.fromEntries(named) };
};

/** A guardrail without the checks in it that are turned off. */
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
  /** The hook that it is made of; absent where it is as it was. */
  readonly hook?: Json;
}

/** Where the credentials of the checks of a hook or a guardrail come from, if the hook has them. */
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

/** The hooks of one kind as they are written here, and the guardrails that some of them are. */
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

/** The members of a target that have its checks. */
export const hookNames: readonly string[] = [
  ...['before_request_hooks', 'after_request_hooks', 'input_guardrails', 'output_guardrails'],
];

/** Those members as they are written here. */
export const toHooks = (value: JsonObject, at: JsonPointer, nameHook: NameHook): readonly SourcedMember[] => [
  ...toMembers(value, at, true, nameHook),
  ...toMembers(value, at, false, nameHook),
];
