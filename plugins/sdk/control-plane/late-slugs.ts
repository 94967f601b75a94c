/** Looks up the slugs of workspaces. */
export interface LateSlugs {
  /** Returns the slug of a workspace, or a promise of it. The slug is empty if it cannot be found. */
  of(workspace: string): string | Promise<string>;
}

/** Slugs expire because they may be assigned to another workspace. */
const knownMs = 60_000;
const maxKnown = 10_000;

export const lateSlugs = ({
  find,
  clock,
}: {
  readonly find: (workspace: string) => Promise<string | undefined>;
  /** A monotonic clock, in milliseconds. */
  readonly clock: { monotonic(): number };
}): LateSlugs => {
  const known = new Map<string, { slug: string | Promise<string>; readonly until: number }>();

  const lookUp = async (workspace: string): Promise<string> => {
    const slug = await find(workspace).then(
      (found) => found ?? '',
      () => undefined,
    );
    const entry = known.get(workspace);
    // A failed look-up is repeated for the next request.
    if (slug === undefined) known.delete(workspace);
    else if (entry !== undefined) entry.slug = slug;
    return slug ?? '';
  };

  return {
    of(workspace) {
      const now = clock.monotonic();
      const entry = known.get(workspace);
      if (entry !== undefined && entry.until > now) return entry.slug;
      if (known.size >= maxKnown) known.clear();
      const made = { slug: '' as string | Promise<string>, until: now + knownMs };
      known.set(workspace, made);
      made.slug = lookUp(workspace);
      return made.slug;
    },
  };
};
