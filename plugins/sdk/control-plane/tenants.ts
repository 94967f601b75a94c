import type { Saved } from '../../../schema/config/saved.ts';
import type { SecretRef } from '../../../schema/plan/plan.ts';
import type { TenantId } from '../exchange/exchange.ts';
import type { StoredPrompts } from './stored-prompt.ts';

/** A saved config of a tenant. */
export interface TenantConfig {
  /** The name in plans and logs, by whichever name the config was requested. */
  readonly name: string;
  /** Changes whenever the text has changed. */
  readonly version: string;
  /**
   * Returns the config as JSON text, with its credentials, or a promise if it must be read first. Throws, or rejects with, the
   * `GatewayError`s `store-unavailable`, `saved-not-usable` and, if the config has been deleted in the meantime,
   * `unknown-config`.
   */
  text(): string | Promise<string>;
}

/** The guardrails that run on each request of a tenant, by their names in `saved`. */
export interface DefaultGuardrails {
  readonly input: readonly string[];
  readonly output: readonly string[];
}

/** Everything that a tenant has saved, at one point in time. */
export interface TenantView {
  /**
   * Changes whenever something other than the configs has changed that plans are built from: providers, virtual keys, guardrails,
   * prompts, and which guardrails run by default.
   */
  readonly version: string;
  /** The names that configs of the tenant and of its callers can use, including those that the gateway file defines. */
  readonly saved: Saved;
  /** Returns the credentials of saved providers and guardrails, by the references in `saved`. */
  secrets(ref: SecretRef): string | undefined;
  /**
   * Returns the prompts that references name: `id` or `slug`, alone or with `@12`, `@latest`, `@published` or `@<label>`.
   * References that name no prompt are omitted. Rejects with the `GatewayError`s `store-unavailable` and `saved-not-usable`.
   */
  prompts(references: readonly string[]): Promise<StoredPrompts>;
  config(name: string): TenantConfig | undefined;
  /** Returns the names of the tenant's configs. */
  configNames(): Iterable<string>;
  /** The name of the config for requests that name none. */
  readonly defaultConfig?: string;
  /** The guardrails of its organisation, followed by its own. Absent if there are none. */
  readonly defaultGuardrails?: DefaultGuardrails;
}

/** Everything that tenants have saved. */
export interface Tenants {
  /**
   * Returns what a tenant has saved: undefined if nothing, a promise if it must be read first. Data that was read before is not
   * read again unless it has changed. Rejects with the `GatewayError` `store-unavailable`.
   */
  view(tenant: TenantId): TenantView | undefined | Promise<TenantView | undefined>;
}
