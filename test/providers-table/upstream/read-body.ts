import type { JsonObject } from '../../../schema/json/json.ts';
import type { ReceivedRequest } from '../../support/servers/upstream-server.ts';

/** Returns the fields of a form, with the content of each file. Rejects if the body is not a form. */
const readForm = async (request: ReceivedRequest): Promise<JsonObject> => {
  const headers = { 'content-type': request.header('content-type') ?? '' };
  const form = await new Response(new Uint8Array(request.body), { headers }).formData();
  const fields = [...form].map(
    async ([name, value]) => [name, typeof value === 'string' ? value : await value.text()] as const,
  );
  return Object.fromEntries(await Promise.all(fields));
};

/** Returns the body of a JSON request or a form. Rejects if it is neither. */
export const readBody = async (request: ReceivedRequest): Promise<JsonObject> => {
  const [type] = (request.header('content-type') ?? '').split(';');
  if (type === 'multipart/form-data') return readForm(request);
  if (type === 'application/json') return request.json();
  throw new Error(`The content-type is ${type}.`);
};
