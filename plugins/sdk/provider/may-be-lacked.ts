import type { Dialect } from '../dialect/dialect.ts';
import type { Provider } from './provider.ts';

/** Whether a body's text, or its bytes, may have content that the provider lacks of its own dialect. A search in them decides. */
export const mayBeLacked = (
  body: { includes(mark: string): boolean },
  { lacks }: Pick<Provider, 'lacks'>,
  { id, contentMarks }: Pick<Dialect, 'id' | 'contentMarks'>,
): boolean =>
  contentMarks !== undefined &&
  lacks?.[id]?.some((kind) => {
    const mark = contentMarks[kind];
    return mark !== undefined && body.includes(mark);
  }) === true;
