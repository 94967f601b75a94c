/** The name of a model with its collection, as bodies have it. */
export const toResource = (model: string): string =>
  /^(?:models|tunedModels)\//.test(model) ? model : `models/${model}`;
