/** Whether a Google model is an Imagen model, which has its own paths and format. */
export const isImagen = (model: string | undefined): boolean =>
  /(?:^|[/.])(?:imagen-|imagegeneration@)/.test(model ?? '');
