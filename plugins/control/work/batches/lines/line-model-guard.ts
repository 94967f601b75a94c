import { isUtf8 } from 'node:buffer';
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
import type { Account } from '../../accounts/account.ts';
import { maxLineBytes } from './json-lines.ts';
import { lineFault } from './line-fault.ts';
import type { ReadLine } from './read-lines.ts';

/** Throws the `GatewayError` `invalid-input` for a line that may call a model which its account does not allow. */
export type LineModelGuard = (line: ReadLine) => void;

const hint = 'Name models that the integration allows, or ask who manages it to allow this one.';

/** A line as JSON that all readers read alike; otherwise what is wrong with it. */
const parsed = (bytes: Buffer | undefined): JsonObject | string => {
  if (bytes === undefined) return `It is longer than ${maxLineBytes} bytes.`;
  const line = isUtf8(bytes) ? parseObject(bytes.toString().replace(/^\ufeff/, '')) : undefined;
  if (line === undefined) return 'It is not a JSON object in UTF-8.';
  if (repeatedKey(bytes) !== undefined) return 'It has a key twice.';
  const other = Object.keys(line).find((name) => name !== 'body' && foldName(name) === 'body');
  return other === undefined ? line : `It has the member ${JSON.stringify(other)}, which some readers take for "body".`;
};

/** The models that a line names: in its URL, in the body that is sent there, and in what is beside it. */
const readModels = ({ body, ...rest }: JsonObject): NamedModels =>
  joinModels([
    pathModels({ method: 'POST', path: findText(rest.url) ?? '' }),
    ...(isJsonObject(body) ? [bodyModels(body, { only: 'model' })] : []),
    bodyModels(rest),
  ]);

/**
 * Validates the models of lines by the list of an account; undefined where all are allowed. A line that names none is one of a
 * batch that names the `model` of all of its lines.
 */
export const lineModelGuard = ({ models, slug }: Account, model: string | undefined): LineModelGuard | undefined => {
  if (models === undefined) return undefined;
  const allows = allowsModel(models);
  return ({ bytes, number }) => {
    const line = parsed(bytes);
    if (typeof line === 'string') throw lineFault(number, line);
    const named = readModels(line);
    if (named.kind === 'unclear') throw lineFault(number, `It is not clear which model it calls: ${named.reason}`);
    if (named.kind === 'none' && model === undefined) throw lineFault(number, 'It names no model.');
    const refused = refusedModel(named, allows);
    if (refused !== undefined)
      throw lineFault(
        number,
        `The saved provider "${slug}" may not be called with the model "${shownModel(refused)}".`,
        hint,
      );
  };
};
