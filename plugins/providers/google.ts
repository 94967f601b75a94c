import { defineProvider, type Endpoint, type Provider } from '../sdk/provider.ts';
import { modelSegment } from './model-segment.ts';

const id = 'google';

/** Names may contain their collection: `models/gemini-…`, `tunedModels/…`. */
const resourceOf = (model: string | undefined): string => {
  const [, collection = 'models', name] = /^(?:(models|tunedModels)\/)?(.*)$/s.exec(model ?? '') ?? [];
  return `/${collection}/${modelSegment(id, name)}`;
};

const generate: Endpoint = ({ model, stream }) =>
  stream ? `${resourceOf(model)}:streamGenerateContent?alt=sse` : `${resourceOf(model)}:generateContent`;

/** Without `key`, which belongs in a header: URLs are written into logs. */
const withoutKey = (path: string): string => {
  const [pathname = '', query] = path.split(/\?(.*)/s);
  const kept = query?.split('&').filter((member) => !/^key(?:=|$)/.test(member)) ?? [];
  return kept.length === 0 ? pathname : `${pathname}?${kept.join('&')}`;
};

/** https://ai.google.dev/api. Its own clients write the version segment into the path. */
export const google: Provider = defineProvider({
  id,
  documentation: 'https://ai.google.dev/api',
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  credential: 'required',
  speaks: { gemini: generate },
  models: ['gemini-', 'gemma-', 'learnlm-'],
  headers: ({ api_key: key }) => (key === undefined ? [] : ['x-goog-api-key', key]),
  passThrough: (path) => withoutKey(path.replace(/^\/v1beta(?=\/)/, '')),
});
