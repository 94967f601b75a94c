import type { Dialect } from '../../plugins/sdk/dialect.ts';
import type { GatewayResponse } from '../../plugins/sdk/http.ts';
import { toBuffer } from '../../plugins/sdk/to-buffer.ts';
import type { Diagnostic } from '../../schema/diagnostic.ts';
import { errorReport } from '../../schema/errors.ts';
import { isJsonObject } from '../../schema/json.ts';
import { errorResponse } from '../link/error-response.ts';

/** The answer to a caller whose config has mistakes: all of them are in `error.diagnostics`. */
export const refusedConfig = (diagnostics: readonly Diagnostic[], dialect: Dialect | undefined): GatewayResponse => {
  const first = diagnostics.find(({ severity }) => severity === 'error')?.message ?? 'it gave no plan.';
  const response = errorResponse(errorReport('invalid-config', { first }), { dialect });
  if (response.body.kind !== 'bytes') return response;
  const body: unknown = JSON.parse(toBuffer(response.body.bytes).toString());
  if (!isJsonObject(body)) return response;
  const error = isJsonObject(body.error) ? body.error : {};
  const bytes = Buffer.from(JSON.stringify({ ...body, error: { ...error, diagnostics } }));
  return { ...response, body: { kind: 'bytes', bytes } };
};
