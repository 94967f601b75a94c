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

/** The texts of configs with their literals. Those of versions never change, and are read once while they are remembered. */
export interface ConfigTexts {
  /** Rejects as `TenantConfig.text` does. */
  get(version: ConfigVersion): string | Promise<string>;
  readonly bytes: number;
}

export interface ConfigTextsOptions {
  readonly db: Store['db'];
  readonly sealer: Pick<Sealer, 'open'>;
  readonly maxBytes: number;
  /** Waits for the store. */
  readonly asked: <Answer>(answer: Promise<Answer>) => Promise<Answer>;
}

/** The size of a text's entry beside the text, roughly. */
const entryBytes = 1000;

export const createConfigTexts = ({ db, sealer, maxBytes, asked }: ConfigTextsOptions): ConfigTexts => {
  const known = new LRUCache<string, string>({
    maxSize: maxBytes,
    sizeCalculation: (text) => text.length * 2 + entryBytes,
  });
  const reading = new Map<string, Promise<string>>();

  const read = async ({ tenant, id, name }: ConfigVersion): Promise<string> => {
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

  return {
    get(version) {
      const key = `${version.tenant} ${version.id}`;
      const found = known.get(key) ?? reading.get(key);
      if (found !== undefined) return found;
      const text = asked(read(version))
        .then((made) => {
          known.set(key, made);
          return made;
        })
        .finally(() => reading.delete(key));
      reading.set(key, text);
      return text;
    },
    get bytes() {
      return known.calculatedSize;
    },
  };
};
