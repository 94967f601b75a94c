import { LRUCache } from 'lru-cache';
import { nodesIn, type Template } from '../templates/template.ts';

/** Parsed versions by their ids. A version never changes, so that no entry is ever wrong. */
export interface VersionCache<Parsed extends object> {
  get(versionId: string): Parsed | undefined;
  /** `text` is what it was parsed from, and `templates` are those in it. */
  set(
    versionId: string,
    parsed: Parsed,
    size: { readonly text: string; readonly templates: readonly Template[] },
  ): void;
}

/** Roughly the bytes of a node, with its position and its path. */
const nodeBytes = 200;

/** Estimates the bytes of templates in memory, without the texts that they were parsed from. */
export const templateBytes = (templates: readonly Template[]): number =>
  templates
    .flatMap(nodesIn)
    .reduce((sum, node) => sum + nodeBytes + (node.kind === 'text' ? node.text.length * 2 : 0), 0);

/** Keeps the versions that were used last, of roughly `maxBytes` in memory; one that alone is larger is left out. */
export const createVersionCache = <Parsed extends object>(maxBytes: number): VersionCache<Parsed> => {
  const kept = new LRUCache<string, Parsed>({ maxSize: maxBytes });
  return {
    get: (versionId) => kept.get(versionId),
    set(versionId, parsed, { text, templates }) {
      const nodes = templates.reduce((sum, template) => sum + nodesIn(template).length, 0);
      kept.set(versionId, parsed, { size: 1 + text.length * 2 + nodes * nodeBytes });
    },
  };
};
