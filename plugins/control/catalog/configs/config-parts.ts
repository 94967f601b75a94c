import type { GatewayError } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { conflict } from '../../kernel/requests/refusals.ts';
import type { RequestScope } from '../../kernel/requests/request-scope.ts';
import type { ConfigRow } from '../../kernel/store/tables/tables.ts';
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

/** Said where others change what a config names again and again while it is compiled. */
export const changedMeanwhile = (): GatewayError =>
  conflict('Others change what this request needs at the same time.', 'Send it again.');
