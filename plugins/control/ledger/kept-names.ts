import { sql } from 'kysely';
import { insertRows } from '../store/insert-rows.ts';
import type { Store, Writing } from '../store/store.ts';
import { digest } from './digest.ts';
import { inChunks } from './in-chunks.ts';
import { nameColumns } from './ledger-columns.ts';
import type { Named } from './ledger-record.ts';

/** In this order the views of the ledger read it: a change needs a migration. */
const textsOf = (named: Named): readonly (string | null)[] =>
  'policy' in named
    ? [named.policy, named.bucket, named.unit]
    : [
        ...[named.organisation_id, named.workspace_id, named.key_id, named.config, named.prompt, named.provider],
        ...[named.slug, named.model, named.answered_model, named.kind, named.tier, named.prices, named.metadata],
      ];

interface Wanted {
  readonly texts: readonly (string | null)[];
  day: number;
}

interface Known {
  readonly number: number;
  readonly day: number;
}

const knownNames = async (writing: Writing, digests: readonly string[]): Promise<Map<string, Known>> => {
  const rows = await inChunks(digests, (chunk) =>
    writing.selectFrom('ledger_names').select(['digest', 'number', 'day']).where('digest', 'in', chunk).execute(),
  );
  return new Map(rows.map(({ digest: of, ...known }) => [of, known]));
};

/** A name stays for as long as there are postings of its last day, so that whoever uses it later notes the day. */
const laterDay = {
  sqlite: sql`(digest) do update set day = max(ledger_names.day, excluded.day)`,
  postgres: sql`(digest) do update set day = greatest(ledger_names.day, excluded.day)`,
} satisfies Record<Store['kind'], unknown>;

/**
 * Keeps what is not kept yet, and answers the numbers of all.
 *
 * @param all by what is named, the last day of a posting with it
 */
export const keepNames = async (
  writing: Writing,
  kind: Store['kind'],
  all: ReadonlyMap<Named, number>,
): Promise<(named: Named) => number> => {
  const digests = new Map<Named, string>();
  const wanted = new Map<string, Wanted>();
  for (const [named, day] of all) {
    const texts = textsOf(named);
    const key = digest(texts);
    digests.set(named, key);
    const before = wanted.get(key);
    if (before === undefined) wanted.set(key, { texts, day });
    else before.day = Math.max(before.day, day);
  }
  const known = await knownNames(writing, [...wanted.keys()]);
  // In one order, so that processes do not wait for each other.
  const news = [...wanted].filter(([key, { day }]) => (known.get(key)?.day ?? -1) < day).sort();
  if (news.length > 0) {
    const rows = news.map(([key, { texts, day }]) => ({ digest: key, day, name: JSON.stringify(texts) }));
    await insertRows(writing, 'ledger_names', { kind, columns: nameColumns, rows, merge: laterDay[kind] });
    for (const [key, each] of await knownNames(
      writing,
      news.map(([key]) => key),
    ))
      known.set(key, each);
  }
  return (named) => {
    const number = known.get(digests.get(named) ?? '')?.number;
    if (number === undefined) throw new TypeError('A name of the ledger was not kept.');
    return number;
  };
};
