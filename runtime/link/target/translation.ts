import type { Dialect } from '../../../plugins/sdk/dialect.ts';
import { fillModel, hasModelPlace } from '../../../plugins/sdk/fill-model.ts';
import type { Endpoint, Provider } from '../../../plugins/sdk/provider.ts';
import { type Served, servedAs } from '../../../plugins/sdk/served-as.ts';
import { boundMark } from '../../../schema/bound.ts';
import type { Names } from '../names.ts';

/**
 * How a target serves a client's dialect. A string endpoint is the whole path, including the base path; a function
 * returns the part after the base path.
 */
export type Translation =
  | Exclude<Served, { readonly kind: 'same' }>
  | (Extract<Served, { readonly kind: 'same' }> & {
      /** The dialect's `gatewayMarks`. */
      readonly marks: readonly Buffer[];
    });

/** A bound value is a whole string, so the mark follows the quote that begins it. */
const usualMarks: readonly string[] = [`"${boundMark}`];

const marksOf = ({ gatewayMarks = usualMarks }: Dialect): readonly Buffer[] =>
  gatewayMarks.map((mark) => Buffer.from(mark));

export interface TranslationOptions {
  readonly provider: Provider;
  readonly basePath: string;
  /** The dialects that the provider speaks with the model, in its own order; all that it speaks if absent. */
  readonly spoken: readonly string[] | undefined;
  readonly names: Names;
}

/** What is known of an endpoint before there is a request. */
const prepared = (endpoint: Endpoint, { provider, basePath }: TranslationOptions): Endpoint => {
  if (typeof endpoint !== 'string') return endpoint;
  if (!hasModelPlace(endpoint)) return basePath + endpoint;
  return ({ model }) => fillModel(endpoint, { model, provider: provider.id });
};

/** How the provider serves the dialect, with its endpoint prepared. */
export const translationTo = (clientDialect: string, options: TranslationOptions): Translation => {
  const { provider, spoken, names } = options;
  const served = servedAs(clientDialect, { provider, spoken, dialectOf: names.dialect });
  if (served.kind === 'none') return served;
  const endpoint = prepared(served.endpoint, options);
  return served.kind === 'same' ? { ...served, endpoint, marks: marksOf(served.dialect) } : { ...served, endpoint };
};
