import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '..');
const list = (...patterns: readonly string[]): readonly string[] =>
  globSync([...patterns], { cwd: root }).filter(
    (file) => !file.includes('/generated/') && !file.includes('node_modules'),
  );
const sources = list('{compiler,editors,gw,plugins,runtime,schema}/**/*.ts', '*.ts');
const tests = list('{test,tools}/**/*.ts');

interface Rule {
  readonly word: RegExp;
  /** The words to use instead. */
  readonly instead: string;
  /** Parts of a path or of a line in which the word is allowed. */
  readonly except?: readonly string[];
  /** The same parts in tests, if the rule applies to tests too. */
  readonly exceptInTests?: readonly string[];
}

/** Words that had several meanings in the code. `GLOSSARY.md` defines the terms that it uses. */
const rules: readonly Rule[] = [
  {
    word: /\b(?:[Uu]n)?[Tt](?:old|ells?)(?![a-z])|[a-z]T(?:old|ells?)(?![a-z])/,
    instead: 'reports, notifies, distinguishes or instructs',
    // Values of the gateway file and of the SDK, and words of users.
    except: ["'tell'", '"tell"', '`tell`', "'untold'", '`untold`', '/guard/', 'word-classes.ts'],
    // Prompts, a text of a model, and this list.
    exceptInTests: ['ell me ', "'Tell me'", 'ell of {', 'Tell of Rome', 'Malformed: tell(', 'words.test.ts'],
  },
  { word: /\bmost[A-Z]/, instead: 'max…', except: ['mostBytes', 'mostOutput'] },
  {
    word: /\b(?:const|let) (?:most|least[A-Z]\w*|least)\b|\b(?:most|least)\??: number\b/,
    instead: 'max or min',
    // A name of the SDK, a column of the log, and a chooser.
    except: ['cache-hints.ts', 'draw-graph.ts', 'leastBusy'],
  },
  { word: /\busual[A-Z]/, instead: 'default…' },
  { word: /\/\*\* (?:What|Whose|Who|Which|Whoever|Whatever)\b/, instead: 'a verb for a function, a noun for the rest' },
  { word: /\b(?:unlessTaken|shiftedSlots|unadorned|keptReplies|keptSecrets)\b/, instead: 'see GLOSSARY.md' },
];

const findUses = (word: RegExp, files: readonly string[], except: readonly string[]): readonly string[] =>
  files.flatMap((file) =>
    readFileSync(path.join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, at) => (word.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : []))
      .filter((each) => !except.some((part) => each.includes(part))),
  );

it.each(rules)('$word is not used: the code says $instead', ({ word, except = [], exceptInTests }) => {
  expect(findUses(word, sources, except)).toEqual([]);
  if (exceptInTests !== undefined) expect(findUses(word, tests, [...except, ...exceptInTests])).toEqual([]);
});
