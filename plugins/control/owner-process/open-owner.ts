import type { GatewayFile } from '../../../schema/generated/gateway-file.ts';
import type { Clock } from '../../sdk/clock.ts';
import type { ControlOwner } from '../../sdk/control-plane/control-link.ts';
import type { SinkStatus } from '../../sdk/control-plane/store-status.ts';
import { checkGivenKeys, type GivenKeys } from '../access/keys/first-key.ts';
import { createAllowances } from '../kernel/fairness/allowances.ts';
import { openStore, readStoreUrl } from '../kernel/store/open/open-store.ts';
import { toFailure } from '../kernel/store/sqlite/failure.ts';
import { linkedThread } from '../kernel/store/sqlite/linked-file.ts';
import { SharedFile } from '../kernel/store/sqlite/shared-file.ts';
import { createSqliteThread, type SqliteThread } from '../kernel/store/sqlite/sqlite-thread.ts';
import type { Store } from '../kernel/store/store.ts';
import type { HandedRecords } from '../logs/sinks/linked-sinks.ts';
import type { OpenThreadSinksOptions } from '../logs/sinks/open-sinks.ts';
import { toLogFile } from '../logs/writer/open-log-store.ts';
import { OwnedCounters } from '../metering/counters/owned-counters.ts';
import { Ledger } from '../metering/ledger/open-ledger.ts';
import { type LedgerEntry, readEntry } from '../metering/ledger/posting.ts';
import { startingSums } from '../metering/limiter/starting-sums.ts';
import type { FileAnswer, OwnedFile, OwnerQuestion } from './owner-questions.ts';

export interface OpenOwnerOptions extends GivenKeys {
  /** The path of a SQLite file, or the URL of a PostgreSQL database. */
  readonly url: string;
  /** Whether limits are counted here; otherwise they are counted in a Redis. */
  readonly counts: boolean;
  /** The settings of the gateway file for the ledger. */
  readonly ledger?: NonNullable<GatewayFile['store']>['ledger'];
  /** The sinks of the log; none if absent. */
  readonly sinks?:
    | (Omit<OpenThreadSinksOptions, 'clock' | 'say'> & {
        /** Returns how long the sinks may send waiting records once the gateway closes, in milliseconds. */
        readonly closeMs: () => number;
      })
    | undefined;
  readonly clock: Clock;
  /** Notifies the operator. */
  readonly say: (text: string) => void;
}

/** The number of the owner among those that send questions. Workers have higher numbers. */
const owner = 0;

/** SQLite files, as workers access them. */
interface OwnedFiles {
  readonly files: Readonly<Record<OwnedFile, { readonly file: SharedFile; readonly where: string }>>;
  /** The file of the store, as this process uses it. */
  readonly store: SqliteThread;
  /** Closes the files, after the store was closed. */
  close(): Promise<void>;
}

const openFiles = (storeFile: string, clock: Clock): OwnedFiles => {
  const addFile = createSqliteThread();
  const open = (where: string) => ({ where, file: new SharedFile({ start: () => addFile(where), where, clock }) });
  const store = open(storeFile);
  const log = open(toLogFile(storeFile));
  return {
    files: { store, log },
    store: linkedThread((asked) => store.file.ask(owner, asked)),
    close: async () => {
      await Promise.all([store.file.end(), log.file.end()]);
    },
  };
};

interface OwnedLimits {
  readonly counters: OwnedCounters<LedgerEntry>;
  readonly ledger: Ledger;
  close(): Promise<void>;
}

/** Opens counters that start from the sums of the ledger, which this process writes to. */
const openCounters = async (
  { clock, say, ledger: settings = true }: OpenOwnerOptions,
  store: Store,
): Promise<OwnedLimits> => {
  const kept = typeof settings === 'boolean' ? {} : { days: settings.keep_days, megabytes: settings.keep_mb };
  const ledger = new Ledger({ store, clock, say, kept });
  const counters = new OwnedCounters({ clock, say, readEntry, postings: ledger.behind });
  counters.load(await startingSums({ store, ledger, now: clock.wall() }));
  return {
    counters,
    ledger,
    close: async () => {
      await counters.close();
      await ledger.close();
    },
  };
};

interface OwnedSinks {
  receive(handed: HandedRecords): Promise<void>;
  status(): readonly SinkStatus[];
  close(): Promise<void>;
}

/** Opens the sinks of the log; undefined if there are none. Rejects with a `StoreError` if they cannot be used. */
const openSinks = async ({ sinks: given, clock, say }: OpenOwnerOptions): Promise<OwnedSinks | undefined> => {
  if (given === undefined) return undefined;
  const [{ openThreadSinks }, { createBatchReceiver }] = await Promise.all([
    import('../logs/sinks/open-sinks.ts'),
    import('../logs/sinks/linked-sinks.ts'),
  ]);
  const { closeMs, ...ways } = given;
  const sinks = await openThreadSinks({ ...ways, clock, say });
  return { receive: createBatchReceiver(sinks), status: () => sinks.status(), close: () => sinks.close(closeMs()) };
};

/**
 * Opens the parts of a store that all workers of a gateway share: SQLite files, and counters unless a Redis has them. Rejects
 * with a `StoreError`, or because the keys of the environment cannot be used.
 */
export const openOwner = async (options: OpenOwnerOptions): Promise<ControlOwner> => {
  const { url, counts, clock, say } = options;
  await checkGivenKeys(options);
  const at = readStoreUrl(url);
  const owned = at.kind === 'sqlite' ? openFiles(at.file, clock) : undefined;
  const closing: (() => Promise<void>)[] = owned === undefined ? [] : [owned.close];
  const close = async (): Promise<void> => {
    for (const each of closing.toReversed()) await each();
  };
  try {
    // A worker deletes expired data.
    const needsStore = counts || owned !== undefined;
    const store = needsStore
      ? await openStore({ url, thread: owned?.store, leads: async () => false, say })
      : undefined;
    if (store !== undefined) closing.push(() => store.close());
    const limits = counts && store !== undefined ? await openCounters(options, store) : undefined;
    if (limits !== undefined) closing.push(limits.close);
    const sinks = await openSinks(options);
    if (sinks !== undefined) closing.push(sinks.close);
    /** The worker that deletes expired data. */
    let leader: number | undefined;
    const allowances = createAllowances(() => clock.wall());
    return {
      async answer(worker, question): Promise<unknown> {
        const asked = question as OwnerQuestion;
        if (asked.of === 'lead') {
          leader ??= worker;
          return leader === worker;
        }
        if (asked.of === 'counters' || asked.of === 'ledger') {
          if (limits === undefined) throw new TypeError('The owner counts nothing.');
          const { counters, ledger } = limits;
          if (asked.of === 'counters') return counters.answer(worker, asked.question, asked.args);
          return asked.until === 'written' ? ledger.written() : ledger.flush();
        }
        if (asked.of === 'allowances') return allowances[asked.question](asked.name, asked.key, asked.count);
        if (asked.of === 'sinks') {
          if (sinks === undefined) throw new TypeError('The owner has no sinks.');
          return sinks.receive(asked.handed);
        }
        const of = owned?.files[asked.of];
        if (of === undefined) throw new TypeError(`The owner has no file for the ${asked.of}.`);
        return of.file.ask(worker, asked.asked).then(
          (result): FileAnswer => ({ result }),
          (error: unknown): FileAnswer => ({ failure: toFailure(error, of.where) }),
        );
      },
      leave(worker) {
        if (leader === worker) leader = undefined;
        for (const { file } of Object.values(owned?.files ?? {})) file.leave(worker);
        limits?.counters.leave(worker);
      },
      status: () => ({ sinks: sinks?.status() ?? [], ledgerFailure: limits?.ledger.failure() }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};
