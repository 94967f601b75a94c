import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandTree } from '../../gw/commands.ts';
import type { CommandTree } from '../../schema/command-help/command-spec.ts';
import { root } from '../../tools/build/package-modules.ts';
import { type CommandLine, commandLines } from '../support/readme/command-lines.ts';
import { readFences } from '../support/readme/read-fences.ts';
import { isServer } from '../support/readme/shell-session.ts';

const files = globSync(['README.md', 'docs/{start,recipes,how-it-works}/*.md'], { cwd: root }).sort();
const allPages = globSync(['README.md', 'docs/**/*.md', 'plugins/**/README.md', 'deploy/*.md'], { cwd: root }).sort();

/** Variables that every shell has. */
const ofEachShell: ReadonlySet<string> = new Set(['HOME', 'PWD']);

/** Returns the commands that call a gateway, with the key in `GW_API_KEY`: `gw configs list`. */
const askingCommands = ({ spec, commands = {} }: CommandTree, name: string): readonly string[] => [
  ...(spec?.options.url !== undefined && spec.options.profile !== undefined ? [name] : []),
  ...Object.entries(commands).flatMap(([word, tree]) => askingCommands(tree, `${name} ${word}`)),
];
const asking = askingCommands(await commandTree(), 'gw').map((name) => new RegExp(`\\b${name}(?= |$)`));

/** Returns the variables that a command needs: those that it names, and the key of a command that calls a gateway. */
const usedBy = (command: string): readonly string[] => {
  const expanded = command.replaceAll(/'[^']*'/g, "''");
  const named = [...expanded.matchAll(/\$\{?([A-Za-z_]\w*)/g)].map(([, name = '']) => name);
  return asking.some((pattern) => pattern.test(command)) ? [...named, 'GW_API_KEY'] : named;
};

const setBy = (command: string): readonly string[] =>
  [...command.matchAll(/(?:^|[\s;])([A-Za-z_]\w*)=/g)].map(([, name = '']) => name);

/** Returns the commands after a server that occupies its terminal. A later server is started in the first terminal again. */
const commandsOfSecond = (markdown: string): readonly CommandLine[] => {
  const blocks = readFences(markdown)
    .filter(({ language }) => language === 'sh')
    .map(commandLines);
  const serves = (lines: readonly CommandLine[]): boolean =>
    lines.some(({ text }) => isServer(text) && !text.endsWith('&'));
  const first = blocks.findIndex(serves);
  return first < 0 ? [] : blocks.slice(first).flatMap((lines) => (serves(lines) ? [] : lines));
};

/**
 * Returns the variables that these commands use but that nothing has set there. A file that `set -a` loads is assumed to set
 * all that follow.
 */
const unset = (markdown: string): readonly string[] => {
  const commands = commandsOfSecond(markdown);
  const loads = commands.findIndex(({ text }) => /^set -a; \. (\S+); set \+a$/.test(text));
  const known = new Set<string>(ofEachShell);
  return (loads < 0 ? commands : commands.slice(0, loads)).flatMap(({ line, text }) => {
    const own = setBy(text);
    const there = text.startsWith('export ') ? new Set(known) : new Set([...known, ...own]);
    for (const name of own) known.add(name);
    return usedBy(text).flatMap((name) => (there.has(name) ? [] : [`line ${line}: ${name}`]));
  });
};

/** Commands that occupy the terminal that starts them, besides the gateway itself. */
const staying: readonly RegExp[] = [/^docker run\b(?!.* (?:-d|--detach) )/, /^kubectl port-forward /, /^prometheus /];
const keepsTerminal = ({ text }: CommandLine): boolean =>
  !text.endsWith('&') && (isServer(text) || staying.some((pattern) => pattern.test(text)));

const saysWhere = /\b(?:another|other|second|third) terminal\b/i;
const saysToStop = /\bControl-C\b|\bstop the gateway\b/i;

/** Returns each block of commands, with the words between it and the previous one. */
const blocksOf = (
  markdown: string,
): readonly { readonly line: number; readonly words: string; readonly stays: boolean }[] => {
  const fences = readFences(markdown);
  let words = '';
  let from = 0;
  return fences.flatMap((fence) => {
    const lines = markdown.split('\n');
    words += ` ${lines.slice(from, fence.line - 1).join(' ')}`;
    from = fence.line + fence.text.split('\n').length;
    if (fence.language !== 'sh' || fence.file !== undefined) return [];
    const block = { line: fence.line, words, stays: commandLines(fence).some(keepsTerminal) };
    words = '';
    return [block];
  });
};

/**
 * Returns the blocks that are pasted while something occupies a terminal, without naming a terminal, and a gateway that
 * follows another on the same port.
 */
const unsaid = (markdown: string): readonly string[] => {
  const blocks = blocksOf(markdown);
  return blocks.flatMap(({ line, words, stays }, at) => {
    const started = blocks.slice(0, at).some((block) => block.stays);
    if (!stays)
      return blocks[at - 1]?.stays === true && !saysWhere.test(words) ? [`line ${line}: say in which terminal`] : [];
    const serves = blocks[at + 1]?.stays === false;
    return started && serves && !saysWhere.test(words) && !saysToStop.test(words)
      ? [`line ${line}: say to stop the one before`]
      : [];
  });
};

describe('a block that is pasted while something occupies its terminal', () => {
  const server = '```sh\ngw serve --port 8787\n```\n';
  const call = '```sh\ncurl http://127.0.0.1:8787/livez\n```\n';

  it('is reported if the page does not name a terminal', () => {
    expect(unsaid(`${server}\nIt answers:\n\n${call}`)).toEqual(['line 7: say in which terminal']);
    expect(unsaid(`${server}\n\`\`\`json a.json\n{}\n\`\`\`\n${call}`)).toEqual(['line 8: say in which terminal']);
    for (const command of ['docker run --rm -p 1:1 image', 'kubectl port-forward service/a 1:1'])
      expect(unsaid(`\`\`\`sh\n${command}\n\`\`\`\n${call}`)).toEqual(['line 4: say in which terminal']);
    expect(
      unsaid(`${server}\nIn another terminal:\n\n${call}\nWithout keys:\n\n${server}In the other terminal:\n${call}`),
    ).toEqual(['line 13: say to stop the one before']);
  });

  it('may be anywhere after these words, or in a terminal that nothing occupies', () => {
    expect(unsaid(`${server}\nIn\nanother terminal:\n\n${call}\n${call}`)).toEqual([]);
    expect(
      unsaid(
        `${server}\nIn another terminal:\n\n${call}\nStop the gateway, and:\n\n${server}In the other terminal:\n${call}`,
      ),
    ).toEqual([]);
    expect(unsaid(`\`\`\`sh\ngw serve &\n\`\`\`\n${call}`)).toEqual([]);
    expect(unsaid(`\`\`\`sh\ndocker run -d image\n\`\`\`\n${call}`)).toEqual([]);
    expect(unsaid(`${server}\nThis one does not start:\n\n${server}`)).toEqual([]);
  });

  it.each(allPages)('%s names the terminal', (file) => {
    expect(unsaid(readFileSync(path.join(root, file), 'utf8')), 'As other pages do: "In another terminal:".').toEqual(
      [],
    );
  });
});

describe('commands of a second terminal', () => {
  const server = '```sh\nexport KEY=a\ngw serve --port 8787\n```\n';

  it('are reported if they use variables that only the first terminal has', () => {
    expect(unset(`${server}\`\`\`sh\ncurl -H "key: $KEY"\n\`\`\`\n`)).toEqual(['line 6: KEY']);
    expect(unset(`${server}\`\`\`sh\nexport KEY=$KEY\n\`\`\`\n`)).toEqual(['line 6: KEY']);
    expect(unset(`${server}\`\`\`sh\ngw keys list\n\`\`\`\n`)).toEqual(['line 6: GW_API_KEY']);
  });

  it('may use variables that they set, that a file sets, or that no shell expands', () => {
    expect(unset(`${server}\`\`\`sh\nexport KEY=a\ncurl -H "key: $KEY"\n\`\`\`\n`)).toEqual([]);
    expect(unset(`${server}\`\`\`sh\nset -a; . ./keys.env; set +a\necho $KEY\n\`\`\`\n`)).toEqual([]);
    expect(unset(`${server}\`\`\`sh\necho '$KEY'; GW_API_KEY=a gw keys list\n\`\`\`\n`)).toEqual([]);
    expect(unset('```sh\nKEY=a\ngw serve &\ncurl -H "key: $KEY"\n```\n')).toEqual([]);
  });

  it.each(files)('%s uses no variable there that only the first terminal has', (file) => {
    expect(unset(readFileSync(path.join(root, file), 'utf8')), 'Set it again in that block.').toEqual([]);
  });
});
