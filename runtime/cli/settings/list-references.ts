import type { GatewayFile } from '../../../schema/generated/gateway-file.ts';
import type { JsonPointer } from '../../../schema/json/pointer.ts';
import { childPointer, rootPointer } from '../../../schema/json/pointer.ts';
import type { SecretRef } from '../../../schema/plan/plan.ts';
import { isSecretRef } from './secret-reader.ts';

/** A reference, and where it stands. */
export interface PlacedReference {
  readonly ref: SecretRef;
  readonly pointer: JsonPointer;
}

/** All references of a value of JSON, wherever they stand in it. */
export const listReferences = (value: unknown, pointer: JsonPointer = rootPointer): readonly PlacedReference[] => {
  if (typeof value === 'string') return isSecretRef(value) ? [{ ref: value, pointer }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => listReferences(member, childPointer(pointer, name)));
};

/** Members whose references are resolved when the gateway starts: connections are made with them. */
const atStart = /^\/(?:telemetry|cache|store\/(?!master_key))/;

/** The files of the references of a gateway file that a gateway reads at its start alone. */
export const listUsedOnce = (settings: GatewayFile): ReadonlySet<string> =>
  new Set(
    listReferences(settings).flatMap(({ ref, pointer }) => {
      const [, file] = /^\$\{file:(.+)\}$/.exec(ref) ?? [];
      return file !== undefined && atStart.test(pointer) ? [file] : [];
    }),
  );
