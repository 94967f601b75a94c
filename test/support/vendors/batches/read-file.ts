import type { ReceivedRequest } from '../../upstream-server.ts';

/** The file and the purpose of an uploaded form. */
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
