import type { Dialect } from '../../../plugins/sdk/dialect.ts';
import type { RequestBody } from '../../../plugins/sdk/http.ts';
import type { Provider } from '../../../plugins/sdk/provider.ts';
import { toBuffer } from '../../../plugins/sdk/to-buffer.ts';

/** Whether a body may contain what the provider lacks of its own dialect. A search of the bytes tells. */
export const mayBeLacked = (body: RequestBody, { lacks }: Provider, { id, contentMarks }: Dialect): boolean => {
  const kinds = lacks?.[id];
  if (kinds === undefined || contentMarks === undefined || body.kind !== 'bytes') return false;
  const bytes = toBuffer(body.bytes);
  return kinds.some((kind) => {
    const mark = contentMarks[kind];
    return mark !== undefined && bytes.includes(mark);
  });
};
