import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '..');
const files = globSync(['{compiler,editors,gw,plugins,runtime,schema}/**/*.ts', '*.ts'], { cwd: root }).filter(
  (file) => !file.includes('/generated/') && !file.includes('node_modules'),
);

interface Rule {
  readonly word: RegExp;
  /** The words to use instead. */
  readonly instead: string;
  /** Parts of a path or of a line in which the word is allowed. */
  readonly except?: readonly string[];
}

/** Words that had several meanings in the code. `GLOSSARY.md` defines the terms that it uses. */
const rules: readonly Rule[] = [
  {
    word: /\b(?:told|tells?|untold)\b/i,
    instead: 'reports, notifies, distinguishes or instructs',
    // Values of the gateway file and of the SDK, and words of users.
    except: ["'tell'", '"tell"', '`tell`', "'untold'", '`untold`', '/guard/', 'word-classes.ts'],
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

it.each(rules)('$word is not used: the code says $instead', ({ word, except = [] }) => {
  const found = files.flatMap((file) =>
    readFileSync(path.join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, at) => (word.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : []))
      .filter((each) => !except.some((part) => each.includes(part))),
  );
  expect(found).toEqual([]);
});
