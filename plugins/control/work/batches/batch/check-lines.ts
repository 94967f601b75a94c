import { isUtf8 } from 'node:buffer';
import { GatewayError } from '../../../../../schema/errors/errors.ts';
import { invalidInput } from '../../../../../schema/errors/invalid-input.ts';
import { isJsonObject, type JsonObject } from '../../../../../schema/json/json.ts';
import { findText } from '../../../../../schema/json/loose.ts';
import { parseObject } from '../../../../../schema/json/parse-json.ts';
import { repeatedKey } from '../../../../../schema/json/repeated-key.ts';
import { allowsModel } from '../../../../sdk/models/allows-model.ts';
import { bodyModels } from '../../../../sdk/models/body-models.ts';
import { foldName } from '../../../../sdk/models/fold-name.ts';
import { joinModels, type NamedModels, shownModel } from '../../../../sdk/models/named-models.ts';
import { pathModels } from '../../../../sdk/models/path-models.ts';
import { refusedModel } from '../../../../sdk/models/refused-model.ts';
import { memberProblem } from '../../../kernel/requests/refusals.ts';
import type { ControlParts } from '../../../kernel/resource/control-parts.ts';
import type { Account } from '../../provider-requests/account.ts';
import { foreignIds, othersHaveIds } from '../../remote-ids/foreign-ids.ts';
import { maxReferences } from '../../remote-ids/reference-guard.ts';
import { bodyReferences, type Reference } from '../../remote-ids/references-in.ts';
import { maxLineBytes, readLines } from './batch-lines.ts';
import type { ProviderCall } from './executor.ts';

/** The hint for an invalid file. */
export const correctFile = 'Correct the file, and upload it again.';

/** Creates the error for an input file, which the request names in `member`. */
export const fileError = (message: string, hint: string, member = 'input_file_id'): GatewayError =>
  invalidInput([memberProblem(member, message, hint)]);

/** Creates the error for a line of an input file. */
export const lineError = (
  line: number,
  fact: string,
  { hint = correctFile, member = 'input_file_id' }: { readonly hint?: string; readonly member?: string } = {},
): GatewayError =>
  invalidInput([{ ...memberProblem(member, `Line ${line} of the input file is not valid: ${fact}`, hint), line }]);

/** Parses a line as JSON that all readers read alike; otherwise returns what is wrong with it. */
const parsed = (bytes: Buffer): JsonObject | string => {
  const line = isUtf8(bytes) ? parseObject(bytes.toString().replace(/^\ufeff/, '')) : undefined;
  if (line === undefined) return 'It is not a JSON object in UTF-8.';
  if (repeatedKey(bytes) !== undefined) return 'It repeats a key.';
  const other = Object.keys(line).find((name) => name !== 'body' && foldName(name) === 'body');
  return other === undefined ? line : `It has the member ${JSON.stringify(other)}, which some parsers treat as "body".`;
};

/** Reads the models that a line names: in its URL, in its body, and in its other members. */
const readModels = ({ body, ...rest }: JsonObject): NamedModels =>
  joinModels([
    pathModels({ method: 'POST', path: findText(rest.url) ?? '' }),
    ...(isJsonObject(body) ? [bodyModels(body, { only: 'model' })] : []),
    bodyModels(rest),
  ]);

/**
 * Returns a function that checks the models of lines against the list of an account; undefined if all are allowed. A line without
 * a model belongs to a batch that names the `model` of all of its lines.
 */
const lineModelGuard = ({ models, slug }: Account, model: string | undefined) => {
  if (models === undefined) return undefined;
  const allows = allowsModel(models);
  return (bytes: Buffer, number: number): void => {
    const line = parsed(bytes);
    if (typeof line === 'string') throw lineError(number, line);
    const named = readModels(line);
    if (named.kind === 'unclear') throw lineError(number, `It is not clear which model it calls: ${named.reason}`);
    if (named.kind === 'none' && model === undefined) throw lineError(number, 'It names no model.');
    const refused = refusedModel(named, allows);
    if (refused !== undefined)
      throw lineError(
        number,
        `The saved provider "${slug}" may not be called with the model "${shownModel(refused)}".`,
        { hint: 'Use models that the integration allows, or ask its administrator to allow this one.' },
      );
  };
};

/** Reads the ids that a line names. Throws the `GatewayError` `invalid-input` if providers may read it in another way. */
const namedIn = (bytes: Buffer, line: number): readonly Reference[] => {
  try {
    return bodyReferences(bytes);
  } catch (error) {
    throw error instanceof GatewayError ? lineError(line, error.message) : error;
  }
};

/**
 * Checks the lines of an input file that a provider runs with a credential of the gateway. Throws the `GatewayError`
 * `invalid-input` at the first line that names a file or a response of another workspace, or calls a model that the account does
 * not allow. `model` is the model of all lines, if the batch names it.
 */
export const checkLines = async (
  { store }: Pick<ControlParts, 'store'>,
  { tenant, account, model }: Pick<ProviderCall, 'tenant' | 'account'> & { readonly model?: string },
  read: () => AsyncIterable<Uint8Array>,
): Promise<void> => {
  const refuseModel = lineModelGuard(account, model);
  const mayBeForeign = await othersHaveIds(store, tenant);
  if (refuseModel === undefined && !mayBeForeign) return;
  const { slug } = account;
  const lines = new Map<string, number>();
  const validate = async (): Promise<void> => {
    const [id] = await foreignIds(store, { tenant, slug, ids: [...lines.keys()] });
    if (id !== undefined)
      throw lineError(lines.get(id) ?? 0, `Your workspace has nothing with the id "${id}" at ${slug}.`, {
        hint: 'Use files and responses that your workspace has created with the same provider.',
      });
    lines.clear();
  };
  for await (const { bytes, number } of readLines(read(), maxLineBytes)) {
    if (bytes === undefined) throw lineError(number, `It is longer than ${maxLineBytes} bytes.`);
    refuseModel?.(bytes, number);
    for (const { id } of mayBeForeign ? namedIn(bytes, number) : []) {
      if (!lines.has(id)) lines.set(id, number);
      if (lines.size === maxReferences) await validate();
    }
  }
  await validate();
};
