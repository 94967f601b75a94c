/** The names between braces in a text: `MessageParams<'{a} is not {b}'>` is `{ a; b }`. */
export type MessageParams<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [Key in Name]: string | number } & MessageParams<Rest>
  : unknown;

/** Replaces the names in the text by their values. Omitting one does not compile. */
export const formatMessage = <Text extends string>(text: Text, params: MessageParams<Text>): string => {
  const values = new Map(Object.entries(params as Readonly<Record<string, string | number>>));
  return text.replace(/\{(\w+)\}/g, (hole, name: string) => String(values.get(name) ?? hole));
};
