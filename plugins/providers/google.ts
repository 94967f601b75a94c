import { isImagen } from '../sdk/models/is-imagen.ts';
import { changesAccount, endsInCall } from '../sdk/provider/account-changes/changes-account.ts';
import { onlyAllows } from '../sdk/provider/account-changes/only-allows.ts';
import { fillModel } from '../sdk/provider/fill-model.ts';
import { defineProvider, type Endpoint, type NextAddress, type Provider } from '../sdk/provider/provider.ts';
import { keyInHeader } from './shared/key-in-header.ts';

const id = 'google';

/** Returns the resource of a model. Names may include their collection: `models/gemini-…`, `tunedModels/…`. */
const toResource = (model: string | undefined): string => {
  const [, collection = 'models', name] = /^(?:(models|tunedModels)\/)?(.*)$/s.exec(model ?? '') ?? [];
  return fillModel(`/${collection}/{model}`, { model: name, provider: id });
};

const generate: Endpoint = ({ model, stream }) =>
  stream ? `${toResource(model)}:streamGenerateContent?alt=sse` : `${toResource(model)}:generateContent`;

/** https://ai.google.dev/gemini-api/docs/imagen, https://ai.google.dev/gemini-api/docs/image-generation */
const draw: Endpoint = ({ model }) => `${toResource(model)}:${isImagen(model) ? 'predict' : 'generateContent'}`;

const embed: Endpoint = ({ model }) => `${toResource(model)}:batchEmbedContents`;

/** https://ai.google.dev/api/tokens */
const count: Endpoint = ({ model }) => `${toResource(model)}:countTokens`;
const embedOne: Endpoint = ({ model }) => `${toResource(model)}:embedContent`;

/** Removes `key`, which belongs in a header, because URLs are written to logs. */
const withoutKey = (path: string): string => {
  const [pathname = '', query] = path.split(/\?(.*)/s);
  const kept = query?.split('&').filter((member) => !/^key(?:=|$)/.test(member)) ?? [];
  return kept.length === 0 ? pathname : `${pathname}?${kept.join('&')}`;
};

/** The path segments of resources that callers create for themselves. */
const ownThings: ReadonlySet<string> = new Set([
  'files',
  'cachedcontents',
  'batches',
  'interactions',
  'filesearchstores',
]);

const isOwn = ([first = '']: readonly string[]): boolean => ownThings.has(first);

/** Uploads come before the version in the path: `/upload/v1beta/files`: https://ai.google.dev/api/files#method:-media.upload */
const besideVersion = (path: string, basePath: string): string | undefined => {
  const [, rest] = /^\/upload(?:\/v1(?:beta)?)?(\/.*)$/s.exec(path) ?? [];
  return rest === undefined ? undefined : basePath.replace(/(\/v\d[a-z0-9]*)?$/, '/upload$1') + rest;
};

/** An upload continues at the URL in the answer to its first request: https://ai.google.dev/api/files#method:-media.upload */
const nextAddress: NextAddress = {
  header: 'x-goog-upload-url',
  findPath(path, basePath) {
    const before = basePath.replace(/\/v\d[a-z0-9]*$/, '');
    return path.startsWith(`${before}/upload/`) ? path.slice(before.length) : undefined;
  },
};

/** All other paths create, change and share tuned models, or issue tokens: https://ai.google.dev/api/all-methods */
const changesOwn = onlyAllows(({ method, segments }) => isOwn(segments) || (method === 'POST' && endsInCall(segments)));

/** https://ai.google.dev/api. Its own clients include the version segment in the path. */
export const google: Provider = defineProvider({
  id,
  documentation: 'https://ai.google.dev/api',
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  credential: 'required',
  speaks: {
    gemini: generate,
    'gemini-embeddings': embed,
    'gemini-embed-content': embedOne,
    'gemini-count': count,
    'google-images': draw,
  },
  // It answers 400 to a longer list of requests: https://ai.google.dev/api/embeddings#method:-models.batchembedcontents
  maxTexts: 100,
  models: ['gemini-', 'gemma-', 'learnlm-', 'imagen-', 'text-embedding-00', 'text-multilingual-embedding-'],
  headers: keyInHeader('x-goog-api-key'),
  changesAccount: (request) => (/\/openai\//.test(request.path) ? changesAccount(request) : changesOwn(request)),
  passThrough: (path) => withoutKey(path.replace(/^\/v1beta(?=\/)/, '')),
  pathBeside: besideVersion,
  nextAddress,
});
