/** The answer to a change, with warnings where there are some. */
export interface WithWarnings {
  readonly diagnostics?: readonly { readonly message: string; readonly hint: string }[];
}

/** The warnings of an answer, in sentences. */
export const warningsIn = ({ diagnostics = [] }: WithWarnings): readonly string[] =>
  diagnostics.map(({ message, hint }) => `${message} ${hint}`);
