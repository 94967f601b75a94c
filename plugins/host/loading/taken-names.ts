import { drawnByWeight } from '../../../schema/plan/plan.ts';
import { type Guardrail, guardrailNames } from '../../sdk/guardrail/guardrail.ts';
import type { AnyRouteRow } from '../../sdk/route/route-row.ts';
import { routeForm } from '../../sdk/route/route-row-error.ts';

/** The members of a plugin whose names must be free. */
export interface NamedThings {
  readonly name: string;
  readonly providers?: readonly { readonly id: string; readonly aliases?: readonly string[] }[];
  readonly dialects?: readonly { readonly id: string }[];
  readonly guardrails?: readonly Pick<Guardrail, 'id' | 'aliases'>[];
  readonly caches?: readonly { readonly mode: string }[];
  readonly choosers?: readonly { readonly id: string }[];
  readonly sinks?: readonly { readonly id: string }[];
  readonly routes?: readonly Pick<AnyRouteRow, 'method' | 'path' | 'operationId'>[];
}

/** Returns all names that a plugin provides, each with its kind: `provider "openai"`, `check "default.contains"`. */
export const toNames = ({
  name,
  providers = [],
  dialects = [],
  guardrails = [],
  caches = [],
  choosers = [],
  sinks = [],
  routes = [],
}: NamedThings): readonly string[] => [
  `plugin "${name}"`,
  ...providers.flatMap(({ id, aliases = [] }) => [id, ...aliases].map((each) => `provider "${each}"`)),
  ...dialects.map(({ id }) => `dialect "${id}"`),
  ...caches.map(({ mode }) => `cache mode "${mode}"`),
  ...choosers.map(({ id }) => `balance "${id}"`),
  ...sinks.map(({ id }) => `sink "${id}"`),
  ...guardrails.flatMap(guardrailNames).map((name) => `check "${name}"`),
  ...routes.map((row) => `route ${routeForm(row)}`),
  ...routes.map(({ operationId }) => `operation "${operationId}"`),
];

/** A name that a plugin would provide, but that another plugin already has. */
export interface NameClash {
  readonly name: string;
  readonly owner: string;
  /** Whether the other plugin is part of the gateway, so that the gateway file cannot remove it. */
  readonly isBuiltin: boolean;
}

/** The names provided so far, and the plugin that provides each. */
export class TakenNames {
  readonly #owners = new Map<string, string>();
  /** Plugins that are always present, whatever the gateway file contains. */
  readonly #builtin: ReadonlySet<string>;

  constructor(builtin: readonly NamedThings[]) {
    this.#builtin = new Set(builtin.map(({ name }) => name));
    for (const plugin of builtin) this.take(plugin);
  }

  /** Takes all names of a plugin. If another plugin has one of them, takes none and returns it. */
  take(plugin: NamedThings): NameClash | undefined {
    const names = toNames(plugin);
    for (const name of names) {
      const owner = this.#owners.get(name);
      if (owner !== undefined) return { name, owner, isBuiltin: this.#builtin.has(owner) };
    }
    for (const name of names) this.#owners.set(name, plugin.name);
    return undefined;
  }
}

/** Names of features that the gateway has without a plugin. A plugin with such a name would never be used. */
const withoutPlugin: NamedThings = { name: 'gatewright', choosers: [{ id: drawnByWeight }] };

/** Takes the names of the gateway's own plugins, except the modes of caching, which plugins may replace. */
export const takenByGateway = (builtin: readonly NamedThings[]): TakenNames =>
  new TakenNames([withoutPlugin, ...builtin.map((plugin) => ({ ...plugin, caches: [] }))]);
