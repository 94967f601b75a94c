/** Returns the name of a model with its collection, as in request bodies. */
export const toResource = (model: string): string =>
  /^(?:models|tunedModels)\//.test(model) ? model : `models/${model}`;
