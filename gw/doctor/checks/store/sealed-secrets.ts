import { createSecretKey } from 'node:crypto';
import { placeOfVersion } from '../../../../plugins/control/catalog/configs/config-service.ts';
import { destinationSecrets } from '../../../../plugins/control/catalog/destinations/stored-credential.ts';
import { storedChecks } from '../../../../plugins/control/catalog/guardrails/saved-guardrails.ts';
import { type MasterRing, unwrap } from '../../../../plugins/control/kernel/secrets/canary.ts';
import { literalAt, type SealedByPlace } from '../../../../plugins/control/kernel/secrets/literals.ts';
import {
  type DataKey,
  dataKeyOf,
  open,
  type SealedAt,
  type SealedSecret,
  UnknownMasterError,
} from '../../../../plugins/control/kernel/secrets/seal.ts';
import type {
  ConfigVersionRow,
  GuardrailRow,
  IntegrationRow,
  ProviderRow,
} from '../../../../plugins/control/kernel/store/tables.ts';
import { fromJson } from '../../../../schema/json/from-json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import { formatList } from '../../../../schema/text/format-list.ts';
import type { Finding } from '../../set-up/finding.ts';

type Row = Readonly<Record<string, unknown>>;

/** The queries for the data keys and for all records with sealed columns, by their tables. Older stores may lack some tables. */
export const sealedQueries = {
  data_keys: 'select id, tenant, wrapped from data_keys',
  providers: 'select * from providers order by slug',
  integrations: 'select * from integrations order by slug',
  guardrails: 'select * from guardrails order by slug',
  config_versions:
    'select v.id, v.workspace_id, v.sealed, c.slug from config_versions v join configs c on c.version_id = v.id order by c.slug',
} as const;

export type SealedTable = keyof typeof sealedQueries;

/** The rows of these queries. */
export type SealedRows = Readonly<Partial<Record<SealedTable, readonly Row[]>>>;

/** A record, as findings name it, and a function that reads its secrets. */
interface SealedRecord {
  readonly name: string;
  readonly secrets: () => readonly Pick<SealedSecret, 'sealed' | 'at'>[];
}

const byPlace = (sealed: SealedByPlace, at: SealedAt): ReturnType<SealedRecord['secrets']> =>
  Object.entries(sealed).map(([pointer, each]) => ({ sealed: each, at: literalAt(at, pointer) }));

const toRecords = (rows: SealedRows): readonly SealedRecord[] => {
  // The columns are those of the tables.
  const all = <Found>(table: SealedTable) => (rows[table] ?? []) as unknown as readonly (Found & { slug: string })[];
  return [
    ...all<ProviderRow>('providers').map(({ id, workspace_id: tenant, kind, slug, credential, tls = null }) => ({
      name: `the ${kind === 'provider' ? 'provider' : 'virtual key'} "${slug}"`,
      secrets: () => destinationSecrets({ credential, tls }, { tenant, table: 'providers', id }),
    })),
    ...all<IntegrationRow>('integrations').map(({ id, organisation_id: tenant, slug, credential, tls = null }) => ({
      name: `the integration "${slug}"`,
      secrets: () => destinationSecrets({ credential, tls }, { tenant, table: 'integrations', id }),
    })),
    ...all<GuardrailRow>('guardrails').map((row) => ({
      name: `the guardrail "${row.slug}"`,
      secrets: () => {
        const { sealed, at } = storedChecks(row);
        return byPlace(sealed, at);
      },
    })),
    ...all<ConfigVersionRow>('config_versions').map((row) => ({
      name: `the config "${row.slug}"`,
      secrets: () => byPlace(fromJson(row.sealed) as SealedByPlace, placeOfVersion(row)),
    })),
  ];
};

type Reason = 'missing' | 'wrapped' | 'changed';

class MissingKeyError extends Error {}

const reasons: Readonly<Record<Reason, Pick<Finding, 'what' | 'remedy'>>> = {
  missing: {
    what: 'because the store does not have the keys that they are sealed with, for example after a backup was restored.',
    remedy: 'Save these credentials again: backups contain no keys.',
  },
  wrapped: {
    what: 'because the keys that they are sealed with are wrapped by another master key.',
    remedy: 'Set GW_MASTER_KEY_PREVIOUS to that master key, or save these credentials again.',
  },
  changed: {
    what: 'because they were changed in the store, or belong to other records.',
    remedy: 'Save these credentials again.',
  },
};

/** Creates a function that decrypts a secret with the keys of the store, or throws an error. */
const createOpen = (
  keys: readonly Row[],
  ring: MasterRing,
): ((secret: Pick<SealedSecret, 'sealed' | 'at'>) => void) => {
  const toName = (tenant: unknown, id: unknown): string => JSON.stringify([tenant, id]);
  const wrapped = new Map(keys.map(({ id, tenant, wrapped }) => [toName(tenant, id), String(wrapped)]));
  const unwrapped = new Map<string, DataKey>();
  const find = (tenant: string, id: string): DataKey => {
    const name = toName(tenant, id);
    const known = unwrapped.get(name);
    if (known !== undefined) return known;
    const text = wrapped.get(name);
    if (text === undefined) throw new MissingKeyError();
    const found = { id, key: createSecretKey(unwrap(text, { kind: 'data key', id, tenant }, ring)) };
    unwrapped.set(name, found);
    return found;
  };
  return ({ sealed, at }) => {
    open(sealed, at, find(at.tenant, dataKeyOf(sealed, at)));
  };
};

const toReason = (error: unknown): Reason => {
  if (error instanceof MissingKeyError) return 'missing';
  return error instanceof UnknownMasterError ? 'wrapped' : 'changed';
};

/** Names at most three records. */
const listNames = (names: readonly string[]): string => {
  const others = names.length - 3;
  return formatList(others > 1 ? [...names.slice(0, 3), `${others} other records`] : names);
};

/** Reports the records whose secrets the master keys do not decrypt. */
export const sealedFindings = (rows: SealedRows, ring: MasterRing, where: string): readonly Finding[] => {
  const decrypt = createOpen(rows.data_keys ?? [], ring);
  const failed: Partial<Record<Reason, string[]>> = {};
  for (const { name, secrets } of toRecords(rows)) {
    try {
      secrets().forEach(decrypt);
    } catch (error) {
      const reason = toReason(error);
      failed[reason] = [...(failed[reason] ?? []), name];
    }
  }
  return (Object.keys(reasons) as readonly Reason[]).flatMap((reason): readonly Finding[] => {
    const names = lookUp(failed, reason);
    const { what, remedy } = reasons[reason];
    if (names === undefined) return [];
    return [
      {
        severity: 'error',
        subject: where,
        what: `The secrets of ${listNames(names)} cannot be decrypted, ${what}`,
        remedy,
      },
    ];
  });
};
