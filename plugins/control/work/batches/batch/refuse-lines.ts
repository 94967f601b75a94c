import { GatewayError } from '../../../../../schema/errors/errors.ts';
import type { ControlParts } from '../../../kernel/resource/control-parts.ts';
import { foreignIds, hasForeign } from '../../references/foreign-ids.ts';
import { maxReferences } from '../../references/reference-guard.ts';
import { bodyReferences, type Reference } from '../../references/references-in.ts';
import { maxLineBytes } from '../lines/json-lines.ts';
import { lineFault } from '../lines/line-fault.ts';
import { lineModelGuard } from '../lines/line-model-guard.ts';
import { readLines } from '../lines/read-lines.ts';
import type { ProviderCall } from './executor.ts';

/** The ids that a line names. Throws the `GatewayError` `invalid-input` for one that providers may read as something else. */
const namedIn = (bytes: Buffer | undefined, line: number): readonly Reference[] => {
  if (bytes === undefined) throw lineFault(line, `It is longer than ${maxLineBytes} bytes.`);
  try {
    return bodyReferences(bytes);
  } catch (error) {
    throw error instanceof GatewayError ? lineFault(line, error.message) : error;
  }
};

interface LinesOf extends Pick<ProviderCall, 'tenant' | 'account'> {
  /** Of all lines, where the batch names it. */
  readonly model?: string;
}

/**
 * Validates the lines of an input file that a provider runs with a credential of the gateway. Throws the `GatewayError`
 * `invalid-input` for the first that names a file or a response of another workspace, or that calls a model which the account
 * does not allow.
 */
export const refuseLines = async (
  { store }: Pick<ControlParts, 'store'>,
  { tenant, account, model }: LinesOf,
  read: () => AsyncIterable<Uint8Array>,
): Promise<void> => {
  const refuseModel = lineModelGuard(account, model);
  const mayBeForeign = await hasForeign(store, tenant);
  if (refuseModel === undefined && !mayBeForeign) return;
  const { slug } = account;
  const lines = new Map<string, number>();
  const validate = async (): Promise<void> => {
    const [id] = await foreignIds(store, { tenant, slug, ids: [...lines.keys()] });
    if (id !== undefined)
      throw lineFault(
        lines.get(id) ?? 0,
        `Your workspace has nothing with the id "${id}" at ${slug}.`,
        'Name files and responses that your workspace has made with the same provider.',
      );
    lines.clear();
  };
  for await (const line of readLines(read(), { most: maxLineBytes })) {
    refuseModel?.(line);
    for (const { id } of mayBeForeign ? namedIn(line.bytes, line.number) : []) {
      if (!lines.has(id)) lines.set(id, line.number);
      if (lines.size === maxReferences) await validate();
    }
  }
  await validate();
};
