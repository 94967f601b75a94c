import type { ReceivedRequest } from '../../servers/upstream-server.ts';

/** Reads the file and the purpose from an uploaded form. */
export const readFile = async (
  request: ReceivedRequest,
  field = 'file',
): Promise<{ readonly text: string; readonly name: string; readonly purpose: string }> => {
  const headers = { 'content-type': request.header('content-type') ?? '' };
  const form = await new Request('http://h', {
    method: 'POST',
    headers,
    body: new Uint8Array(request.body),
  }).formData();
  const file = form.get(field);
  if (!(file instanceof File)) throw new Error('There is no file.');
  return { text: await file.text(), name: file.name, purpose: String(form.get('purpose')) };
};
