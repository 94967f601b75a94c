import type { GatewayFile } from '../../../schema/generated/gateway-file.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../../schema/json/pointer.ts';
import { findTlsProblem, type TlsProblem } from '../../upstream/find-tls-problem.ts';
import type { SecretReader } from './secret-reader.ts';

/** TLS settings in the gateway file with unusable values. */
export interface UnusableTls extends TlsProblem {
  readonly pointer: JsonPointer;
  /** The same for people: `"providers.slug.tls" in the gateway file`. */
  readonly where: string;
}

const lists = ['providers', 'virtual_keys'] as const;

/** Finds the gateway file's TLS settings with unusable values, with the first problem of each. */
export const findUnusableTls = (
  settings: Pick<GatewayFile, (typeof lists)[number]>,
  read: SecretReader,
): readonly UnusableTls[] =>
  lists.flatMap((list) =>
    Object.entries(settings[list] ?? {}).flatMap(([name, { tls }]) => {
      const problem = tls === undefined ? undefined : findTlsProblem(tls, read);
      if (problem === undefined) return [];
      const pointer = childPointer(rootPointer, list, name, 'tls', problem.member);
      return [{ ...problem, pointer, where: `"${list}.${name}.tls" in the gateway file` }];
    }),
  );
