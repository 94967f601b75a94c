/** Whether a model of Google is one of Imagen, which has paths and a form of its own. */
export const isImagen = (model: string | undefined): boolean =>
  /(?:^|[/.])(?:imagen-|imagegeneration@)/.test(model ?? '');
