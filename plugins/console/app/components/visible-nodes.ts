import { options, type VNode } from 'preact';
import { revealHidden } from './safe-pieces.ts';

/** The attributes that are shown or announced. */
const named = ['title', 'aria-label', 'aria-description', 'aria-valuetext', 'alt', 'placeholder'] as const;

const cleanChildren = (children: unknown): unknown => {
  if (typeof children === 'string') return revealHidden(children);
  return Array.isArray(children) ? children.map(cleanChildren) : children;
};

/** The properties of a node that are replaced, if present. */
type Props = { children?: unknown } & { [Name in (typeof named)[number]]?: unknown };

const clean = ({ type, props }: VNode): void => {
  const own = props as Props;
  if (own.children !== undefined) own.children = cleanChildren(own.children);
  if (typeof type !== 'string') return;
  for (const name of named) {
    const value = own[name];
    if (typeof value === 'string') own[name] = revealHidden(value);
  }
};

/**
 * Makes all characters of rendered texts visible from now on, even if a page shows a text of other people without
 * `SafeText`: in every node and in the names of elements, invisible characters and those that change the direction of text
 * are replaced by their code points.
 */
export const revealHiddenCharacters = (): void => {
  const before = options.vnode;
  options.vnode = (node: VNode): void => {
    clean(node);
    before?.(node);
  };
};
