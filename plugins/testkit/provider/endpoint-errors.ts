import type { JsonObject } from '../../../schema/json/json.ts';
import { errorText } from '../../../schema/text/error-text.ts';
import { hasModelPlace, toPath } from '../../sdk/provider/fill-model.ts';
import type { Endpoint, Provider } from '../../sdk/provider/provider.ts';
import { attempt } from '../errors/attempt.ts';

/** Names that callers may send as a model, and that must not change the path. */
const hostile = ['../x', 'a/b', '?x=1', 'a?x=1', '#a', 'a b', 'a%2Fb', 'ä', '.', '..', ''] as const;

interface Asked {
  readonly provider: Provider;
  readonly settings: JsonObject;
  /** A model that the provider serves. */
  readonly model: string;
}

/** Returns undefined if the provider rejects the model, which it may. */
const pathWith = (endpoint: Endpoint, { provider: { id }, settings, model }: Asked): string | undefined => {
  try {
    return toPath(endpoint, { call: { settings, model, stream: false }, provider: id });
  } catch {
    return undefined;
  }
};

const parse = (path: string): URL => new URL(`https://kit.invalid${path}`);

const names = (url: URL): string => [...url.searchParams.keys()].join('&');

/** Returns why a path with such a model leads somewhere else than one with an ordinary model. */
const strayReason = (path: string, exampleUrl: URL, isTemplate: boolean): string | undefined => {
  if (!URL.canParse(`https://kit.invalid${path}`)) return 'it is not a path';
  const url = parse(path);
  if (url.pathname !== path.split(/[?#]/, 1)[0]) return 'it has segments or characters that are not encoded';
  if (url.hash !== '' || names(url) !== names(exampleUrl)) return 'it changes the query';
  const segments = (each: URL): number => each.pathname.split('/').length;
  return isTemplate && segments(url) !== segments(exampleUrl) ? 'it adds a segment' : undefined;
};

const strayErrors = (dialect: string, endpoint: Endpoint, asked: Asked): readonly string[] => {
  const exampleUrl = pathWith(endpoint, asked);
  if (exampleUrl === undefined) return [];
  const isTemplate = typeof endpoint === 'string' && hasModelPlace(endpoint);
  return hostile.flatMap((model) => {
    const path = pathWith(endpoint, { ...asked, model });
    const reason = path === undefined ? undefined : strayReason(path, parse(exampleUrl), isTemplate);
    return reason === undefined ? [] : [`speaks.${dialect} returns ${path} for the model "${model}": ${reason}`];
  });
};

const pathErrors = (dialect: string, endpoint: Endpoint, { provider, settings, model }: Asked): readonly string[] =>
  [false, true].flatMap((stream) =>
    attempt(`speaks.${dialect} throws`, () => {
      const path = toPath(endpoint, { call: { settings, model, stream }, provider: provider.id });
      return path.startsWith('/') ? [] : [`speaks.${dialect} must start with a slash: ${path}`];
    }),
  );

const dialectErrors = ({ provider: { speaks, dialectsOf }, settings, model }: Asked): readonly string[] =>
  [model, undefined, ...hostile].flatMap((each) => {
    try {
      return (dialectsOf?.(each, settings) ?? [])
        .filter((id) => !Object.hasOwn(speaks, id))
        .map((id) => `dialectsOf returns "${id}" for the model "${each}", which is not in speaks`);
    } catch (error) {
      return [`dialectsOf throws for the model "${each}": ${errorText(error)}`];
    }
  });

/** Only the dialects that the provider speaks for the model are called. */
const spokenBy = ({ provider: { speaks, dialectsOf }, settings, model }: Asked): readonly [string, Endpoint][] => {
  const spoken = new Set(dialectsOf?.(model, settings) ?? Object.keys(speaks));
  return Object.entries(speaks).filter(([id]) => spoken.has(id));
};

/** Returns the errors in the paths of a provider, whatever a caller names as the model, and in its dialects. */
export const endpointErrors = (asked: Asked): readonly string[] => {
  const dialects = dialectErrors(asked);
  if (dialects.length > 0) return [...new Set(dialects)];
  return spokenBy(asked).flatMap(([dialect, endpoint]) => [
    ...pathErrors(dialect, endpoint, asked),
    ...strayErrors(dialect, endpoint, asked),
  ]);
};
