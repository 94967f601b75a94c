import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import { dialectBasePath } from '../../../plugins/sdk/provider/dialect-base-path.ts';
import { fillModel, hasModelPlace } from '../../../plugins/sdk/provider/fill-model.ts';
import type { Endpoint, Provider } from '../../../plugins/sdk/provider/provider.ts';
import { canBeTranslated, resolveServed, type Served } from '../../../plugins/sdk/provider/resolve-served.ts';
import { boundMark } from '../../../schema/conversation/bound.ts';
import { type Mark, toMark } from '../../json-bodies/read/carries-mark.ts';
import type { Names } from '../plugins/names.ts';

/**
 * How a target serves a client's dialect. A string endpoint is the whole path, including the base path. A function returns the
 * part after the base path.
 */
export type Translation =
  | Exclude<Served, { readonly kind: 'same' }>
  | (Extract<Served, { readonly kind: 'same' }> & {
      /** The dialect's `gatewayMarks`. */
      readonly marks: readonly Mark[];
      /** The provider's `adaptsMarked`. */
      readonly adaptedMarks: readonly Mark[];
    });

/** How to write a request in the provider's format, translated or not. */
export type AskedTranslation = Extract<Translation, { readonly endpoint: Endpoint }>;

/** How to write an answer in another dialect or format for the client. */
export type AnswerTranslation = Exclude<AskedTranslation, { readonly kind: 'same' }>;

/** How to read and write a stream. Counts and translated operations are whole answers. */
export type StreamedTranslation = Extract<AskedTranslation, { readonly kind: 'same' | 'translate' }>;

/** Whether answers may be streams. */
export const isStreamed = (translation: AskedTranslation): translation is StreamedTranslation =>
  translation.kind === 'same' || translation.kind === 'translate';

/** A bound value is a whole string, so the mark follows its opening quote. */
const defaultMarks: readonly string[] = [`"${boundMark}`];

/** Returns the marks of what only this gateway writes into answers of a dialect. */
export const gatewayMarks = ({ gatewayMarks: own = defaultMarks }: Dialect): readonly Mark[] => own.map(toMark);

export interface TranslationOptions {
  readonly provider: Provider;
  readonly basePath: string;
  /** The dialects that the provider speaks with the model, in the provider's order. If absent, all that it speaks. */
  readonly spoken: readonly string[] | undefined;
  readonly names: Names;
}

/** Prepares the endpoint of a dialect before there is a request. */
const prepared = (endpoint: Endpoint, dialect: string, { provider, basePath }: TranslationOptions): Endpoint => {
  if (typeof endpoint !== 'string') return endpoint;
  if (!hasModelPlace(endpoint)) return dialectBasePath(provider, dialect, basePath) + endpoint;
  return ({ model }) => fillModel(endpoint, { model, provider: provider.id });
};

const isAsked = (served: Served): served is Extract<Served, { readonly endpoint: Endpoint }> => 'endpoint' in served;

const withPrepared = (served: Served, options: TranslationOptions): Translation => {
  if (!isAsked(served)) return served;
  const endpoint = prepared(served.endpoint, (served.kind === 'same' ? served.dialect : served.upstream).id, options);
  if (served.kind !== 'same') return { ...served, endpoint };
  const adapted = options.provider.adaptsMarked?.[served.dialect.id] ?? [];
  return { ...served, endpoint, marks: gatewayMarks(served.dialect), adaptedMarks: adapted.map(toMark) };
};

/**
 * Finds how the provider serves a client whose dialect it does not speak. Loads the provider's dialects until one of them fits.
 */
const toAnother = async (client: Dialect, options: TranslationOptions): Promise<Translation> => {
  const { provider, spoken, names } = options;
  const loaded = new Map([[client.id, client]]);
  const serve = (): Served => resolveServed(client.id, { provider, spoken, findDialect: (id) => loaded.get(id) });
  for (const id of spoken ?? Object.keys(provider.speaks)) {
    const dialect = await names.dialect(id);
    if (dialect !== undefined) loaded.set(id, dialect);
    const served = serve();
    // Nothing is estimated or passed through if a dialect that is loaded later can serve it.
    if (isAsked(served)) return withPrepared(served, options);
  }
  return withPrepared(serve(), options);
};

/** Returns how the provider serves the dialect, with its endpoint prepared. A promise only if the dialects differ. */
export const translationTo = (client: Dialect, options: TranslationOptions): Translation | Promise<Translation> => {
  const { provider, spoken } = options;
  const served = resolveServed(client.id, {
    provider,
    spoken,
    findDialect: (id) => (id === client.id ? client : undefined),
  });
  return isAsked(served) || !canBeTranslated(client) ? withPrepared(served, options) : toAnother(client, options);
};
