import type { GatewayFile } from '../../../schema/generated/gateway-file.ts';
import type { JsonPointer } from '../../../schema/json/pointer.ts';
import { childPointer, rootPointer } from '../../../schema/json/pointer.ts';
import type { SecretRef } from '../../../schema/plan/plan.ts';
import { isSecretRef } from './secret-reader.ts';

/** A reference and its place. */
export interface PlacedReference {
  readonly ref: SecretRef;
  readonly pointer: JsonPointer;
}

/** Returns all references in a JSON value, wherever they are. */
export const listReferences = (value: unknown, pointer: JsonPointer = rootPointer): readonly PlacedReference[] => {
  if (typeof value === 'string') return isSecretRef(value) ? [{ ref: value, pointer }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => listReferences(member, childPointer(pointer, name)));
};

/** Members whose references are resolved when the gateway starts, because connections are opened with them. */
const atStart = /^\/(?:telemetry|cache|store\/(?!master_key))/;

/** Returns the files of those references that a gateway reads only at startup. */
export const listUsedOnce = (settings: GatewayFile): ReadonlySet<string> =>
  new Set(
    listReferences(settings).flatMap(({ ref, pointer }) => {
      const [, file] = /^\$\{file:(.+)\}$/.exec(ref) ?? [];
      return file !== undefined && atStart.test(pointer) ? [file] : [];
    }),
  );
