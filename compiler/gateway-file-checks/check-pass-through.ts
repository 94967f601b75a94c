import { credentialHeaders } from '../../schema/credentials/credential-headers.ts';
import { isForeignKeyHeader } from '../../schema/http/foreign-key-headers.ts';
import { childPointer, rootPointer } from '../../schema/json/pointer.ts';
import { connectionHeaders, fieldName } from '../resolve/providers/forwardable.ts';
import type { SavedProblem } from './check-saved.ts';

/** Returns why a header can never be passed through; undefined if it can. */
const findReason = (name: string): string | undefined => {
  if (!fieldName.test(name)) return 'is not the name of a header';
  if (name.startsWith('x-gw-')) return 'is between clients and the gateway';
  if (connectionHeaders.has(name)) return 'is about a connection, and each has its own';
  return credentialHeaders.has(name) || isForeignKeyHeader(name) ? 'is for credentials, which do not pass' : undefined;
};

/** Checks the gateway file's `pass_through_headers` beyond their shape. */
export const checkPassThroughHeaders = (names: readonly string[]): readonly SavedProblem[] =>
  names.flatMap((name, index) => {
    const reason = findReason(name.toLowerCase());
    if (reason === undefined) return [];
    return [
      {
        code: 'unforwardable-header',
        pointer: childPointer(rootPointer, 'pass_through_headers', index),
        message: `"${name}" ${reason}.`,
        hint: 'Remove it from "pass_through_headers".',
      },
    ];
  });
