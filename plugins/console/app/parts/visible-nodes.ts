import { options, type VNode } from 'preact';
import { toVisible } from './safe-pieces.ts';

/** The attributes that are shown, or read out. */
const named = ['title', 'aria-label', 'aria-description', 'aria-valuetext', 'alt', 'placeholder'] as const;

const cleanChildren = (children: unknown): unknown => {
  if (typeof children === 'string') return toVisible(children);
  return Array.isArray(children) ? children.map(cleanChildren) : children;
};

/** The properties of a node, of which those that are there are replaced. */
type Props = { children?: unknown } & { [Name in (typeof named)[number]]?: unknown };

const clean = ({ type, props }: VNode): void => {
  const own = props as Props;
  if (own.children !== undefined) own.children = cleanChildren(own.children);
  if (typeof type !== 'string') return;
  for (const name of named) {
    const value = own[name];
    if (typeof value === 'string') own[name] = toVisible(value);
  }
};

/**
 * Makes every text that is shown from now on visible as a whole, also where a page shows a text of others without `SafeText`: in each node
 * and in the names of elements, characters that nobody sees or that turn the direction of text have their code points in their place.
 */
export const showAllCharacters = (): void => {
  const before = options.vnode;
  options.vnode = (node: VNode): void => {
    clean(node);
    before?.(node);
  };
};
