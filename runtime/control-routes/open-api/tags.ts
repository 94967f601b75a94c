import type { JsonObject } from '../../../schema/json/json.ts';

/** Returns the tag of an operation: the first segment of its path. */
export const toTag = (path: string): string => path.split('/')[1] ?? '';

/** The tag of all operations of the data path. */
export const modelsTag = 'inference';

/** The tag of all pages of the gateway itself. */
export const pagesTag = 'pages';

const descriptions: Readonly<Record<string, string>> = {
  [modelsTag]:
    'Requests to models, in the form of each client library. The plan of a request decides which provider responds.',
  [pagesTag]: 'What the gateway reports about itself, for probes and for Prometheus, at paths outside of its base URL.',
  'openapi.json': 'This document.',
};

/** Describes the tags of operations, in alphabetical order. */
export const toTags = (names: Iterable<string>): readonly JsonObject[] =>
  [...new Set(names)]
    .sort()
    .map((name) => ({ name, description: descriptions[name] ?? `Routes at \`/v1/${name}\` and below.` }));
