import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import type { RawHeaders } from '../http/http.ts';
import type { Dialect } from './dialect.ts';

/** Whether a body has the same members as an error, with values of the same kinds. */
const hasForm = (body: Json | undefined, form: JsonObject): boolean =>
  isJsonObject(body) &&
  Object.entries(form).every(
    ([name, value]) =>
      typeof body[name] === typeof value && body[name] !== null && Array.isArray(body[name]) === Array.isArray(value),
  );

export interface UniformErrorFacts {
  readonly status: number;
  readonly headers: RawHeaders;
  readonly text: string;
  /** The body as JSON; undefined if it is not JSON. */
  readonly value: Json | undefined;
}

/**
 * Converts a provider's error to the form of the dialect that client and provider both speak. Returns undefined if it already has
 * that form. A provider that serves models of several makers, or is behind another service, may write errors in other forms.
 */
export const uniformError = (
  dialect: Dialect,
  { status, headers, text, value }: UniformErrorFacts,
): JsonObject | undefined => {
  const error = dialect.decodeError(status, text, headers);
  const written = dialect.encodeWireError(error, status);
  return hasForm(value, written) ? undefined : written;
};
