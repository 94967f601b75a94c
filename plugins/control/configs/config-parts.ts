import type { JsonObject } from '../../../schema/json.ts';
import type { RequestScope } from '../saved/request-scope.ts';
import type { ConfigRow } from '../store/tables.ts';
import type { ValidatedConfig } from './validate-config.ts';

export interface ConfigCaller extends RequestScope {
  readonly keyId?: string | undefined;
}

export interface NewConfig {
  readonly name: string;
  readonly config: JsonObject;
  readonly slug?: string | undefined;
  readonly is_default: boolean;
}

export interface ConfigChange {
  readonly name?: string | undefined;
  readonly config?: JsonObject | undefined;
  readonly is_default?: boolean | undefined;
}

/** A config that was saved, and what the compiler said of it; nothing if its text is what it was. */
export interface SavedConfig {
  readonly row: ConfigRow;
  readonly validated?: ValidatedConfig;
}

/** How often a config is compiled again where others have changed what it names meanwhile. */
export const maxAttempts = 5;
