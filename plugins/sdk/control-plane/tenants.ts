import type { Saved } from '../../../schema/config/saved.ts';
import type { SecretRef } from '../../../schema/plan/plan.ts';
import type { TenantId } from '../exchange/exchange.ts';
import type { StoredPrompts } from './stored-prompt.ts';

/** A saved config of a tenant. */
export interface TenantConfig {
  /** The name in plans and logs, whichever of its names was asked for. */
  readonly name: string;
  /** Another one whenever the text has changed. */
  readonly version: string;
  /**
   * The config as JSON text, with its credentials; a promise where it must be read first. Throws, or rejects with, the
   * `GatewayError`s `store-unavailable`, `saved-not-usable` and, if the config was deleted meanwhile, `unknown-config`.
   */
  text(): string | Promise<string>;
}

/** The guardrails that run on each request of a tenant, by the names that they have in `saved`. */
export interface DefaultGuardrails {
  readonly input: readonly string[];
  readonly output: readonly string[];
}

/** Everything that a tenant has saved, at one time. */
export interface TenantView {
  /**
   * Another one whenever anything has changed that plans are made of, beside the configs: providers, virtual keys, guardrails,
   * prompts, and which guardrails run by default.
   */
  readonly version: string;
  /** The names that configs of the tenant, and of its callers, can use; with what the gateway file saves. */
  readonly saved: Saved;
  /** The credentials of saved providers and guardrails, by the references in `saved`. */
  secrets(ref: SecretRef): string | undefined;
  /**
   * The prompts that references name: `id` or `slug`, alone or with `@12`, `@latest`, `@published` or `@<label>`. Those that
   * name none are left out. Rejects with the `GatewayError`s `store-unavailable` and `saved-not-usable`.
   */
  prompts(references: readonly string[]): Promise<StoredPrompts>;
  config(name: string): TenantConfig | undefined;
  /** The names of its configs. */
  configNames(): Iterable<string>;
  /** The name of the config for requests that name none. */
  readonly defaultConfig?: string;
  /** Those of its organisation, then its own; absent if there are none. */
  readonly defaultGuardrails?: DefaultGuardrails;
}

/** Everything that tenants have saved. */
export interface Tenants {
  /**
   * Undefined for a tenant that has saved nothing; a promise where something must be read first. It never asks a database
   * for what it has read before, unless that has changed. Rejects with the `GatewayError` `store-unavailable`.
   */
  view(tenant: TenantId): TenantView | undefined | Promise<TenantView | undefined>;
}
