/** Quotes a text for shells. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Returns the function that bash and zsh find a command's completions with, from the case of each command. */
export const rowFunction = (
  cases: readonly string[],
): string => `# Sets what can follow a command: words, flags with the values that they take, and whether files do.
_gw_row() {
  case $1 in
${cases.join('\n')}
    *) return 1 ;;
  esac
}`;
