/** The marks of languages in Markdown code blocks, in lower case, by the names that configs use. */
const marks: Readonly<Record<string, readonly string[]>> = {
  SQL: ['sql', 'mysql', 'postgres', 'postgresql', 'sqlite', 'plsql', 'tsql'],
  Python: ['python', 'py', 'python3', 'py3'],
  TypeScript: ['typescript', 'ts', 'tsx', 'mts', 'cts'],
  JavaScript: ['javascript', 'js', 'jsx', 'mjs', 'cjs'],
  Java: ['java'],
  'C#': ['c#', 'cs', 'csharp'],
  'C++': ['c++', 'cpp', 'cxx', 'cc'],
  C: ['c'],
  Ruby: ['ruby', 'rb'],
  PHP: ['php'],
  Swift: ['swift'],
  Kotlin: ['kotlin', 'kt', 'kts'],
  Go: ['go', 'golang'],
  Rust: ['rust', 'rs'],
  Scala: ['scala'],
  R: ['r'],
  Perl: ['perl', 'pl'],
  Shell: ['shell', 'sh', 'bash', 'zsh', 'console', 'shellsession'],
  HTML: ['html', 'htm', 'xhtml'],
  CSS: ['css'],
  XML: ['xml'],
  JSON: ['json', 'jsonc', 'json5'],
  YAML: ['yaml', 'yml'],
  Markdown: ['markdown', 'md'],
  Dockerfile: ['dockerfile', 'docker'],
};

/** The languages that configs can name. */
export const codeLanguages: readonly string[] = Object.keys(marks);

const byMark: ReadonlyMap<string, string> = new Map(
  Object.entries(marks).flatMap(([language, names]) =>
    [language.toLowerCase(), ...names].map((name) => [name, language] as const),
  ),
);

/** Returns the language of a mark or a name in any case. Undefined if it is unknown. */
export const codeLanguage = (mark: string): string | undefined => byMark.get(mark.toLowerCase());
