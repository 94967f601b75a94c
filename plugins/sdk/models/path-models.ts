import { canonicalPath } from '../http/canonical-path.ts';
import { type FoundModels, type NamedModel, namedMakers, noModels } from './named-models.ts';

interface PathWay {
  /** The segment before the name, in lower case. */
  readonly before: string;
  /** Whether the name ends at a verb: `models/M:predict`. */
  readonly hasVerb?: true;
  /** Segments that can take the place of a name but are not names. */
  readonly others?: readonly string[];
  /** Returns the name as configs write it, given the segments before it. */
  readonly toModel?: (name: string, before: readonly string[]) => string;
}

const ofMaker = (name: string, before: readonly string[]): string => {
  const [collection, maker = ''] = before.slice(-2);
  return collection?.toLowerCase() === 'publishers' && !namedMakers.has(maker) ? `${maker}/${name}` : name;
};

/** Where paths name models, at any provider and any depth: a path of one API may be called at the host of another. */
export const modelPathRules: readonly PathWay[] = [
  { before: 'deployments' },
  { before: 'engines' },
  { before: 'model' },
  {
    before: 'models',
    hasVerb: true,
    others: ['chat', 'completions', 'embeddings', 'images', 'info', 'rerank', 'responses'],
    toModel: ofMaker,
  },
  { before: 'tunedmodels', hasVerb: true, toModel: (name) => `tunedModels/${name}` },
  { before: 'endpoints', hasVerb: true, others: ['openapi'], toModel: (name) => `endpoints/${name}` },
];

const ways: ReadonlyMap<string, PathWay> = new Map(modelPathRules.map((way) => [way.before, way]));

/** Returns a segment without the part that some servers cut off. */
const toKey = (segment: string): string => segment.toLowerCase().replace(/[;\s].*$/s, '');

const verb = /:[a-z]+$/i;

/** Methods that only read, and therefore never call a model. */
const reads: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

const namesIn = (segments: readonly string[], method: string): readonly string[] =>
  segments.flatMap((segment, at) => {
    const way = ways.get(toKey(segment));
    const written = segments[at + 1];
    if (way === undefined || written === undefined || way.others?.includes(written.toLowerCase()) === true) return [];
    const hasVerb = way.hasVerb === true && method === 'POST' && at + 2 === segments.length;
    if (way.hasVerb === true && reads.has(method) && at + 2 === segments.length) return [];
    const name = hasVerb ? written.replace(verb, '') : written;
    return [way.toModel?.(name, segments.slice(0, at)) ?? name];
  });

const split = (path: string): readonly string[] => path.split('/').filter((segment) => segment !== '');

/** Characters that some servers remove from a name, or decode once more. */
const misread = /[;\\%\p{Cc}]/u;

const unclear = (reason: string): FoundModels => ({ ...noModels, unclear: reason });

const place = 'in its path';

/** Returns the models that the path of a request names. */
export const pathModels = ({ method, path }: { readonly method: string; readonly path: string }): FoundModels => {
  const [pathname = ''] = path.split(/[?#]/, 1);
  const canonical = canonicalPath(pathname);
  try {
    const names = namesIn(split(canonical).map(decodeURIComponent), method);
    // Some servers decode a path before they split it.
    const decoded = namesIn(split(decodeURIComponent(canonical)), method);
    if (decoded.length > names.length || names.some((name) => misread.test(name)))
      return unclear('its path can be read in two ways.');
    return { called: names.map((model): NamedModel => ({ model, place })), further: [] };
  } catch {
    return unclear('its path is not valid percent-encoding.');
  }
};
