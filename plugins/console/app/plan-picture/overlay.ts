import type { PictureNode } from '../../../../compiler/cli/explain/picture/plan-picture.ts';

/** How a request visited a node: it `passed` through, was `answered` by its target, or `failed` there. */
export type Visit = 'passed' | 'answered' | 'failed';

/** Facts shown over a picture: the route of one request, or figures of targets. */
export interface PictureOverlay {
  /** The visits by the path of a node in the config. */
  readonly visits?: ReadonlyMap<string, Visit>;
  /** A short line by the id of a target, and whether it is a bad sign. */
  readonly figures?: ReadonlyMap<string, { readonly text: string; readonly isBad: boolean }>;
}

/** The part of an overlay that is about one node. */
export interface NodeOverlay {
  readonly visit?: Visit;
  readonly figure?: { readonly text: string; readonly isBad: boolean };
}

/** Returns the part of an overlay that is about a node. A node that stands for the rest of a group has none. */
export const overlayOf = (overlay: PictureOverlay, { kind, path, target }: PictureNode): NodeOverlay => {
  if (kind === 'more') return {};
  const visit = overlay.visits?.get(path);
  const figure = target === undefined ? undefined : overlay.figures?.get(target);
  return { ...(visit === undefined ? {} : { visit }), ...(figure === undefined ? {} : { figure }) };
};
