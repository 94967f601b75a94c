import type { Dialect } from '../../../plugins/sdk/dialect.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json.ts';
import { jsonFault } from '../body/json-fault.ts';
import type { ProviderAnswer } from './translate-answer.ts';

const parsed = (bytes: Buffer): Json | undefined => {
  if (jsonFault(bytes) !== undefined) return undefined;
  const value: Json = JSON.parse(bytes.toString());
  return value;
};

/** Whether a body has the members of an error, with values of the same kinds. */
const hasForm = (body: Json | undefined, form: JsonObject): boolean =>
  isJsonObject(body) &&
  Object.entries(form).every(([name, value]) => typeof body[name] === typeof value && body[name] !== null);

/**
 * The error of a provider in the form of the dialect that client and provider both speak; undefined if it has that form
 * already. A provider that serves models of several makers, or stands behind another service, writes errors of its own.
 */
export const uniformError = (dialect: Dialect, { status, headers, bytes }: ProviderAnswer): JsonObject | undefined => {
  const body = Buffer.from(bytes);
  const value = parsed(body);
  const written = dialect.encodeWireError(
    dialect.decodeError(status, value === undefined ? '' : body.toString(), headers),
    status,
  );
  return hasForm(value, written) ? undefined : written;
};
