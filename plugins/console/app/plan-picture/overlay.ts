import type { PictureNode } from '../../../../compiler/cli/explain/picture/plan-picture.ts';

/** How a request met a node: `passed` on its way, `answered` by its target, or `failed` there. */
export type Visit = 'passed' | 'answered' | 'failed';

/** Facts that are shown over a picture: the way of one request, or figures of targets. */
export interface PictureOverlay {
  /** By the place of a node in the config. */
  readonly visits?: ReadonlyMap<string, Visit>;
  /** By the id of a target: a short line, and whether it is a bad one. */
  readonly figures?: ReadonlyMap<string, { readonly text: string; readonly isBad: boolean }>;
}

/** The part of an overlay that is about one node. */
export interface NodeOverlay {
  readonly visit?: Visit;
  readonly figure?: { readonly text: string; readonly isBad: boolean };
}

/** Picks what an overlay says of a node. What counts the rest of a group has nothing. */
export const overlayOf = (overlay: PictureOverlay, { kind, path, target }: PictureNode): NodeOverlay => {
  if (kind === 'more') return {};
  const visit = overlay.visits?.get(path);
  const figure = target === undefined ? undefined : overlay.figures?.get(target);
  return { ...(visit === undefined ? {} : { visit }), ...(figure === undefined ? {} : { figure }) };
};
