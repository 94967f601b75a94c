import { StoreError } from '../store.ts';

export type Pg = typeof import('pg')['default'];

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes("'pg'");

/**
 * The client of PostgreSQL, which is installed where it is wanted.
 *
 * @throws StoreError if it is not installed
 */
export const importPg = async (): Promise<Pg> => {
  try {
    return (await import('pg')).default;
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new StoreError('A store in PostgreSQL needs the package pg, which is not installed. Run: npm install pg');
  }
};
