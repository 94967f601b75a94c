import type { JWTVerifyGetKey } from 'jose';
import type { KeySource } from './key-source.ts';

/** Finds the key that a token's header names, and asks for newer keys where there is none of that id and type. */
export const keyFinder =
  (source: KeySource): JWTVerifyGetKey =>
  async (header, input) => {
    const { errors } = await import('jose');
    const keys = await source.current();
    try {
      return await keys(header, input);
    } catch (error) {
      const newer = error instanceof errors.JWKSNoMatchingKey ? await source.newer(keys) : undefined;
      if (newer === undefined) throw error;
      return await newer(header, input);
    }
  };
