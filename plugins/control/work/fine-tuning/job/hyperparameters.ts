import type { JsonObject } from '../../../../../schema/json/json.ts';
import { findObject, findText } from '../../../../../schema/json/loose.ts';

/** The hyperparameters of a job or of a body that makes one: its own, or else those of its method. */
export const toHyperparameters = ({
  hyperparameters,
  method,
}: {
  readonly hyperparameters?: JsonObject | undefined;
  readonly method?: JsonObject | undefined;
}): JsonObject =>
  hyperparameters !== undefined && Object.keys(hyperparameters).length > 0
    ? hyperparameters
    : (findObject(findObject(method?.[findText(method?.type) ?? ''])?.hyperparameters) ?? {});

/** Those that are not left to the provider. */
export const givenHyperparameters = (hyperparameters: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(hyperparameters).filter(([, value]) => value !== 'auto'));
