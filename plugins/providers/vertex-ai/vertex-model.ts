/**
 * A model by its maker and the maker's name for it. The maker `endpoints` stands for a deployed endpoint, whose id is the name.
 */
export interface VertexModel {
  readonly publisher: string;
  readonly name: string;
}

const known = ['google', 'anthropic', 'meta', 'mistralai', 'endpoints'];

/** Parses the names that configs use: `meta.llama-…`, `meta/llama-…`, `claude-…`, `gemini-…`. */
export const vertexModel = (model: string): VertexModel => {
  const [, publisher = '', name = ''] = /^([a-z0-9-]+)[./](.+)$/s.exec(model) ?? [];
  // Google's own names contain dots: gemini-2.5-pro.
  if (known.includes(publisher) || (publisher !== '' && model[publisher.length] === '/')) return { publisher, name };
  return { publisher: model.startsWith('claude-') ? 'anthropic' : 'google', name: model };
};
