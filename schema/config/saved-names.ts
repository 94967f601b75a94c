import type { JsonObject } from '../json/json.ts';
import type { JsonPointer } from '../json/pointer.ts';
import type { Saved } from './saved.ts';

/** A kind of name in configs. */
export type SavedKind = 'providers' | 'virtualKeys' | 'guardrails' | 'prompts';

/** A name in a config that nothing is saved under. */
export interface MissingName {
  readonly kind: SavedKind;
  /** A slug or an id; of a prompt the whole reference. */
  readonly name: string;
  /** Where the config states it. */
  readonly at: JsonPointer;
}

/** The outcome of looking up a name in a store. Texts are sentences for people, and can be shown as they are. */
export type FoundName =
  | {
      readonly kind: 'found';
      /** The names that it adds for configs, with references in place of secrets. */
      readonly saved: Partial<Saved>;
      /** The parts of it that could not be read, and why. */
      readonly unread?: string;
    }
  | {
      readonly kind: 'unknown';
      /** The names that there are, as far as they can be listed. */
      readonly names: readonly string[];
      /** Why what has the name cannot be used. */
      readonly why?: string;
    }
  /** The store could not be asked. */
  | { readonly kind: 'unread'; readonly why: string };

/** A version of a saved config, with placeholders in place of its secrets. */
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

/** A gateway with a store, which commands ask for what configs name, and for what requests did. */
export interface AskedStore {
  /** `http://127.0.0.1:8787`. */
  readonly origin: string;
  /** Never rejects because of the store. */
  find(name: Pick<MissingName, 'kind' | 'name'>): Promise<FoundName>;
  /** The config that a slug or an id names. */
  config(name: string): Promise<SavedConfig>;
  /** The version of a config that has a number. */
  version(slug: string, number: number): Promise<SavedConfigVersion>;
  /** The versions of a config that may have been in service at a time (seconds since the epoch), the most likely first. */
  versionsAt(slug: string, time: number): Promise<readonly SavedConfigVersion[]>;
  /** A record of the log, as JSON. */
  record(id: string): Promise<string>;
}
