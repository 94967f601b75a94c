import type { Dialect } from '../dialect/dialect.ts';
import type { Provider } from './provider.ts';

/**
 * Whether a body, as text or bytes, may contain content of its own dialect that the provider lacks. Decided by searching for
 * marks.
 */
export const mayContainLacked = (
  body: { includes(mark: string): boolean },
  { lacks }: Pick<Provider, 'lacks'>,
  { id, contentMarks }: Pick<Dialect, 'id' | 'contentMarks'>,
): boolean =>
  contentMarks !== undefined &&
  lacks?.[id]?.some((kind) => {
    const mark = contentMarks[kind];
    return mark !== undefined && body.includes(mark);
  }) === true;
