/** Something to draw: a line, further lines of its own, and what hangs below it. */
export interface Tree {
  readonly label: string;
  readonly details: readonly string[];
  readonly children: readonly Tree[];
}

const childLines = (children: readonly Tree[]): readonly string[] =>
  children.flatMap((child, index) => {
    const last = index === children.length - 1;
    const [first = '', ...rest] = treeLines(child);
    return [`${last ? '└─' : '├─'} ${first}`, ...rest.map((line) => `${last ? '  ' : '│ '} ${line}`)];
  });

/** The tree as lines, its branches drawn. */
export const treeLines = ({ label, details, children }: Tree): readonly string[] => [
  label,
  ...details.map((line) => `${children.length > 0 ? '│ ' : '  '}${line}`),
  ...childLines(children),
];
