import { GatewayError } from '../../../schema/errors.ts';
import { invalidInput } from '../../../schema/invalid-input.ts';
import { toPointer } from '../../../schema/pointer.ts';
import type { ControlParts } from '../control-parts.ts';
import { bodyReferences } from '../references/body-references.ts';
import { foreignIds, hasForeign } from '../references/foreign-ids.ts';
import { mostReferences } from '../references/reference-guard.ts';
import type { Reference } from '../references/references-in.ts';
import type { ProviderCall } from './executor.ts';
import { readLines } from './managed/check/read-lines.ts';
import { mostLineBytes } from './providers/json-lines.ts';

const lineFault = (line: number, fact: string, hint: string): GatewayError =>
  invalidInput([
    {
      pointer: toPointer(['input_file_id']),
      message: `Line ${line} of the input file is not valid: ${fact}`,
      hint,
      line,
    },
  ]);

const correct = 'Correct the file, and upload it again.';

/** The ids that a line names. Throws the `GatewayError` `invalid-input` for one that providers may read as something else. */
const namedIn = (bytes: Buffer | undefined, line: number): readonly Reference[] => {
  if (bytes === undefined) throw lineFault(line, `It is longer than ${mostLineBytes} bytes.`, correct);
  try {
    return bodyReferences(bytes);
  } catch (error) {
    throw error instanceof GatewayError ? lineFault(line, error.message, correct) : error;
  }
};

/**
 * Judges the lines of an input file that a provider runs with a credential of the gateway. Throws the `GatewayError`
 * `invalid-input` for the first that names a file or a response of another workspace.
 */
export const refuseForeignLines = async (
  { store }: Pick<ControlParts, 'store'>,
  { tenant, account: { slug } }: Pick<ProviderCall, 'tenant' | 'account'>,
  read: () => AsyncIterable<Uint8Array>,
): Promise<void> => {
  if (!(await hasForeign(store, tenant))) return;
  const lines = new Map<string, number>();
  const judge = async (): Promise<void> => {
    const [id] = await foreignIds(store, { tenant, slug, ids: [...lines.keys()] });
    if (id !== undefined)
      throw lineFault(
        lines.get(id) ?? 0,
        `Your workspace has nothing with the id "${id}" at ${slug}.`,
        'Name files and responses that your workspace has made with the same provider.',
      );
    lines.clear();
  };
  for await (const { bytes, number } of readLines(read(), { most: mostLineBytes })) {
    for (const { id } of namedIn(bytes, number)) {
      if (!lines.has(id)) lines.set(id, number);
      if (lines.size === mostReferences) await judge();
    }
  }
  await judge();
};
