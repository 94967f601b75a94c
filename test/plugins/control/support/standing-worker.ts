/** The SQLite thread, except that it does not exit when its file is closed: it can open another one. */

process.exit = (() => undefined) as unknown as typeof process.exit;

await import('../../../../plugins/control/kernel/store/sqlite/worker.ts');
