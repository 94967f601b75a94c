import type { JsonObject } from '../../../schema/json/json.ts';

/** Returns the tag of an operation: the first segment of its path. */
export const toTag = (path: string): string => path.split('/')[1] ?? '';

/** The tag of all operations of the data path. */
export const modelsTag = 'inference';

/** The tag of all pages of the gateway itself. */
export const pagesTag = 'pages';

const descriptions: Readonly<Record<string, string>> = {
  [modelsTag]:
    "Model requests in the format of each client library. A request's plan determines which provider answers.",
  [pagesTag]: "The gateway's own status pages, for probes and Prometheus, outside of its base URL.",
  'openapi.json': 'This document.',
};

/** Describes the tags of operations, in alphabetical order. */
export const toTags = (names: Iterable<string>): readonly JsonObject[] =>
  [...new Set(names)]
    .sort()
    .map((name) => ({ name, description: descriptions[name] ?? `The endpoints at \`/v1/${name}\` and below.` }));
