/** The thread of SQLite, but for one thing: it goes on when its file is closed, and opens another one. */

process.exit = (() => undefined) as unknown as typeof process.exit;

await import('../../../../plugins/control/kernel/store/sqlite/worker.ts');
