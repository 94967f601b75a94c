/** A saved provider and one of its models, named as `@slug/model`. */
export interface SlugModel {
  readonly slug: string;
  readonly model: string;
}

/** Returns the slug of a saved provider that is named as `@slug`; undefined if the name is not that of a saved provider. */
export const savedSlug = (name: string | undefined): string | undefined =>
  name?.startsWith('@') ? name.slice(1) : undefined;

/** Parses `@slug/model`; undefined if the text has another form. The model itself may contain slashes. */
export const slugModel = (text: string): SlugModel | undefined => {
  if (!text.startsWith('@')) return undefined;
  const slash = text.indexOf('/');
  if (slash < 2 || slash === text.length - 1) return undefined;
  return { slug: text.slice(1, slash), model: text.slice(slash + 1) };
};
