/** A node to draw: a label, further lines of its own, and its children. */
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

/** Draws the tree as lines with branches. */
export const treeLines = ({ label, details, children }: Tree): readonly string[] => [
  label,
  ...details.map((line) => `${children.length > 0 ? '│ ' : '  '}${line}`),
  ...childLines(children),
];
