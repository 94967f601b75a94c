import type { SecretRef } from '../../schema/plan.ts';
import type { Saved } from '../../schema/saved.ts';
import type { TenantId } from './exchange.ts';

/** A saved config of a tenant. */
export interface TenantConfig {
  /** Another one whenever the text has changed. */
  readonly version: string;
  /** The config as JSON text, with its credentials. */
  readonly text: string;
}

/** What a tenant has saved, as it is at one time. */
export interface TenantView {
  /** Another one whenever anything has changed that configs can name: providers, virtual keys, guardrails, prompts. */
  readonly version: string;
  /** What configs of the tenant, and of its callers, can name; with what the gateway file saves. */
  readonly saved: Saved;
  /** The credentials of saved providers, by the references in `saved`. */
  secrets(ref: SecretRef): string | undefined;
  config(name: string): TenantConfig | undefined;
  /** The names of its configs. */
  configNames(): Iterable<string>;
  /** The name of the config for requests that name none. */
  readonly defaultConfig?: string;
}

/** What tenants have saved. */
export interface Tenants {
  /**
   * Undefined for a tenant that has saved nothing; a promise where something must be read first. It never asks a database
   * for what it has read before.
   */
  view(tenant: TenantId): TenantView | undefined | Promise<TenantView | undefined>;
}
