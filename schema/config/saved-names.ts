import type { JsonObject } from '../json/json.ts';
import type { JsonPointer } from '../json/pointer.ts';
import type { Saved } from './saved.ts';

/** A kind of name in configs. */
export type SavedKind = 'providers' | 'virtualKeys' | 'guardrails' | 'prompts';

/** A name in a config under which nothing is saved. */
export interface MissingName {
  readonly kind: SavedKind;
  /** A slug or an id; for a prompt the whole reference. */
  readonly name: string;
  /** Where the config has it. */
  readonly at: JsonPointer;
}

/** The outcome of looking up a name in a store. Texts are readable sentences that can be shown unchanged. */
export type FoundName =
  | {
      readonly kind: 'found';
      /** The names that it adds for configs, with references instead of secrets. */
      readonly saved: Partial<Saved>;
      /** The parts of it that could not be read, and why. */
      readonly unread?: string;
    }
  | {
      readonly kind: 'unknown';
      /** The existing names, as far as they can be listed. */
      readonly names: readonly string[];
      /** Why the record with this name cannot be used. */
      readonly why?: string;
    }
  /** The store could not be queried. */
  | { readonly kind: 'unread'; readonly why: string };

/** A version of a saved config, with placeholders instead of its secrets. */
export interface SavedConfigVersion {
  /** The first is 1. */
  readonly number: number;
  readonly config: JsonObject;
}

/** A saved config. */
export interface SavedConfig {
  readonly slug: string;
  readonly inService: SavedConfigVersion;
}

/** A gateway with a store, which commands query for the names in configs and for records of requests. */
export interface AskedStore {
  /** `http://127.0.0.1:8787`. */
  readonly origin: string;
  /** Never rejects because of the store. */
  find(name: Pick<MissingName, 'kind' | 'name'>): Promise<FoundName>;
  /** Finds the config with a slug or an id. */
  config(name: string): Promise<SavedConfig>;
  /** Finds the version of a config with a number. */
  version(slug: string, number: number): Promise<SavedConfigVersion>;
  /** Lists the versions of a config that may have been in service at a time (seconds since the epoch), the most likely first. */
  versionsAt(slug: string, time: number): Promise<readonly SavedConfigVersion[]>;
  /** Finds a record of the log, as JSON. */
  record(id: string): Promise<string>;
}
