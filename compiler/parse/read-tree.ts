import { loadOwnModule } from '../../plugins/sdk/loading/own-module.ts';
import { formatOf } from '../../schema/config/file-names.ts';
import { readSyntax } from './read-syntax.ts';
import type { JsonRules } from './syntax-messages.ts';
import type { SyntaxNode, SyntaxReading } from './syntax-tree.ts';

/** The module that reads YAML, as a path from the root folder of the code, without extension. */
export const yamlModule: string = 'compiler/parse/yaml/read-yaml';

interface YamlModule {
  readonly readYaml: (text: string) => SyntaxReading;
  readonly readBrokenYaml: (text: string) => SyntaxNode | undefined;
}

/** Loads the module that reads YAML when the first such text is read. */
export const loadYaml = (): YamlModule => loadOwnModule(yamlModule) as YamlModule;

/** How a text is read. */
export type TextFormat = JsonRules | 'yaml';

/** Returns the format of an operator's file, which its name determines. */
export const fileFormat = (file: string | undefined): TextFormat => formatOf(file);

interface ReadText {
  readonly text: string;
  readonly format: TextFormat;
  readonly reading: SyntaxReading;
}

/**
 * The text that was read last, until it is garbage-collected: findings are shown with the secrets of that text masked. There is
 * one reference for all texts, because the target of a new weak reference stays in memory until the running code has ended.
 */
let kept: WeakRef<{ last: ReadText }> | undefined;

const keep = (last: ReadText): SyntaxReading => {
  const known = kept?.deref();
  if (known === undefined) kept = new WeakRef({ last });
  else known.last = last;
  return last.reading;
};

/**
 * Some editors put a byte order mark before the text. Replacing it with a space keeps all offsets. The YAML reader handles the
 * mark itself.
 */
const markAsSpace = (text: string): string => (text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text);

const readAs = (text: string, format: TextFormat): SyntaxReading =>
  format === 'yaml' ? loadYaml().readYaml(text) : readSyntax(markAsSpace(text), format);

/** Reads a text into a tree, or returns its first error and its place. Never throws. */
export const readTree = (text: string, format: TextFormat): SyntaxReading => {
  const last = kept?.deref()?.last;
  if (last?.text === text && last.format === format) return last.reading;
  return keep({ text, format, reading: readAs(text, format) });
};
