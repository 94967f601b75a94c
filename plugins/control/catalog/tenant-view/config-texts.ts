import { LRUCache } from 'lru-cache';
import { errorReport, GatewayError, gatewayError } from '../../../../schema/errors/errors.ts';
import { fromJson } from '../../../../schema/json/from-json.ts';
import { openLiterals } from '../../kernel/secrets/literals.ts';
import { SecretError } from '../../kernel/secrets/seal.ts';
import type { Sealer } from '../../kernel/secrets/sealer.ts';
import type { Store } from '../../kernel/store/store.ts';

/** The version of a config that a tenant has. */
export interface ConfigVersion {
  readonly tenant: string;
  readonly id: string;
  /** The config's slug. */
  readonly name: string;
}

/** The texts of configs with their literal secrets, by the keys of their versions. */
export type ConfigTexts = LRUCache<string, string, ConfigVersion>;

export interface ConfigTextsOptions {
  readonly db: Store['db'];
  readonly sealer: Pick<Sealer, 'open'>;
  readonly maxBytes: number;
  /** Waits for the store. */
  readonly asked: <Answer>(answer: Promise<Answer>) => Promise<Answer>;
}

/** The approximate size of a text's entry without the text, in bytes. */
const entryBytes = 1000;

/** Reads a text. Rejects as `TenantConfig.text` does. */
const readText = async (
  { db, sealer }: Pick<ConfigTextsOptions, 'db' | 'sealer'>,
  { tenant, id, name }: ConfigVersion,
): Promise<string> => {
  const row = await db
    .selectFrom('config_versions')
    .select(['text', 'sealed'])
    .where('workspace_id', '=', tenant)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw gatewayError('unknown-config', { name, suggestion: 'It has been deleted.' });
  const at = { tenant, table: 'config_versions', id, field: 'text' };
  try {
    return JSON.stringify(await openLiterals(sealer, { text: row.text, sealed: fromJson(row.sealed), at }));
  } catch (cause) {
    throw cause instanceof SecretError ? new GatewayError(errorReport('saved-not-usable', {}), { cause }) : cause;
  }
};

/** Creates the cache of the texts of versions, which never change. Concurrent readers of a text share one query. */
export const createConfigTexts = ({ maxBytes, asked, ...from }: ConfigTextsOptions): ConfigTexts =>
  new LRUCache({
    maxSize: maxBytes,
    sizeCalculation: (text) => text.length * 2 + entryBytes,
    // A text that is evicted while it is being read is returned nevertheless.
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context }) => asked(readText(from, context)),
  });

/** Returns the text of a version, synchronously if it is cached. */
export const configText = (texts: ConfigTexts, version: ConfigVersion): string | Promise<string> => {
  const key = `${version.tenant} ${version.id}`;
  return texts.get(key) ?? texts.forceFetch(key, { context: version });
};
