/**
 * `node:sqlite`, of which Node warns that it is experimental; this thread does not pass that warning on. A plain import
 * would be evaluated too early for that.
 */
const load = (): typeof import('node:sqlite') => {
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, ...rest: never[]) => {
    if (!String(warning).startsWith('SQLite is an experimental feature')) emitWarning(warning, ...rest);
  };
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
};

export const DatabaseSync: typeof import('node:sqlite').DatabaseSync = load().DatabaseSync;
export type Connection = InstanceType<typeof DatabaseSync>;
