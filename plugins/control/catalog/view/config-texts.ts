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

/** The texts of configs with their literals, by the keys of their versions. */
export type ConfigTexts = LRUCache<string, string, ConfigVersion>;

export interface ConfigTextsOptions {
  readonly db: Store['db'];
  readonly sealer: Pick<Sealer, 'open'>;
  readonly maxBytes: number;
  /** Waits for the store. */
  readonly asked: <Answer>(answer: Promise<Answer>) => Promise<Answer>;
}

/** The size of a text's entry beside the text, roughly. */
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

/** Remembers the texts of versions, which never change: each is read once for all who wait for it. */
export const createConfigTexts = ({ maxBytes, asked, ...from }: ConfigTextsOptions): ConfigTexts =>
  new LRUCache({
    maxSize: maxBytes,
    sizeCalculation: (text) => text.length * 2 + entryBytes,
    // One that is displaced while it is read is returned all the same.
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context }) => asked(readText(from, context)),
  });

/** Returns the text of a version, at once if it is remembered. */
export const configText = (texts: ConfigTexts, version: ConfigVersion): string | Promise<string> => {
  const key = `${version.tenant} ${version.id}`;
  return texts.get(key) ?? texts.forceFetch(key, { context: version });
};
