/** The response to a change, with its warnings, if any. */
export interface WithWarnings {
  readonly diagnostics?: readonly { readonly message: string; readonly hint: string }[];
}

/** Returns the warnings of a response as sentences. */
export const warningsIn = ({ diagnostics = [] }: WithWarnings): readonly string[] =>
  diagnostics.map(({ message, hint }) => `${message} ${hint}`);
