import { isJsonObject } from '../../../schema/json/json.ts';
import { toTexts } from '../../../schema/json/loose.ts';
import { createHooks, renamedHooks } from '../../sdk/hooks/hooks.ts';
import type { PluginPermissions } from '../../sdk/plugin/plugin.ts';

/** The permissions of a plugin, or the errors in them. */
export type ReadPermissions =
  | { readonly permissions: Required<PluginPermissions>; readonly errors?: never }
  | { readonly permissions?: never; readonly errors: readonly string[] };

interface Kind {
  readonly pattern: RegExp;
  readonly what: string;
}

const hookNames: ReadonlySet<string> = new Set([...Object.keys(createHooks()), ...Object.keys(renamedHooks)]);

const isRenamed = (hook: string): hook is keyof typeof renamedHooks => Object.hasOwn(renamedHooks, hook);

const kinds: { readonly [Name in keyof Required<PluginPermissions>]: Kind } = {
  hosts: {
    pattern: /^(\*\.)?([a-z0-9_.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i,
    what: 'a host, such as "api.acme.example", "*.acme.example" or "10.0.0.7:8080"',
  },
  environment: { pattern: /^[A-Za-z_][A-Za-z0-9_]*$/, what: 'the name of an environment variable' },
  hooks: { pattern: /^[A-Za-z]+$/, what: 'the name of a hook' },
};

const isKind = (name: string): name is keyof typeof kinds => Object.hasOwn(kinds, name);

const itemErrors = (name: keyof typeof kinds, items: readonly unknown[]): readonly string[] =>
  items.flatMap((item) => {
    const fits =
      typeof item === 'string' && kinds[name].pattern.test(item) && (name !== 'hooks' || hookNames.has(item));
    return fits ? [] : [`${JSON.stringify(item)} in "${name}" is not ${kinds[name].what}`];
  });

const memberErrors = (name: string, value: unknown): readonly string[] => {
  if (!isKind(name)) return [`"${name}" is not one of ${Object.keys(kinds).join(', ')}`];
  return Array.isArray(value) ? itemErrors(name, value) : [`"${name}" is not a list`];
};

const currentNames = (hooks: readonly string[]): readonly string[] =>
  hooks.map((hook) => (isRenamed(hook) ? renamedHooks[hook] : hook));

const none: Required<PluginPermissions> = { hosts: [], environment: [], hooks: [] };

/**
 * Reads the permissions that a plugin or its package.json declares. If absent, there are none. Hooks are returned with their
 * current names.
 */
export const readPermissions = (declared: unknown): ReadPermissions => {
  if (declared === undefined) return { permissions: none };
  if (!isJsonObject(declared)) return { errors: ['they are not an object'] };
  const reasons = Object.entries(declared).flatMap(([name, value]) => memberErrors(name, value));
  if (reasons.length > 0) return { errors: reasons };
  const { hosts, environment, hooks } = declared;
  return {
    permissions: { hosts: toTexts(hosts), environment: toTexts(environment), hooks: currentNames(toTexts(hooks)) },
  };
};

/** Returns only the permissions, or none if they are invalid. For callers whose errors are reported elsewhere. */
export const toPermissions = (declared: unknown): Required<PluginPermissions> =>
  readPermissions(declared).permissions ?? none;
