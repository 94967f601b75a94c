import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import type { Catalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import { suggestion } from '../../diagnostics/closest.ts';
import { UsageError } from '../command-line/usage-error.ts';

/** Returns the dialect that `--dialect` names. Throws a `UsageError` if no dialect of clients has that name. */
export const clientDialect = ({ dialects }: Catalogue, id: string): Dialect => {
  const dialect = dialects.get(id);
  if (dialect?.routes !== undefined) return dialect;
  const spoken = [...dialects.values()].flatMap((each) => (each.routes === undefined ? [] : [each.id]));
  throw new UsageError(`No client speaks a dialect "${id}".`, suggestion(id, spoken, 'The dialects of clients are'));
};
