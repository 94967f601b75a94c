/** The lines of an answer in the Prometheus format: each series as written, with its value. */
export type MetricLines = ReadonlyMap<string, number>;

export const metricLines = (text: string): MetricLines =>
  new Map(
    text.split('\n').flatMap((line) => {
      const at = line.lastIndexOf(' ');
      return line.startsWith('#') || at === -1 ? [] : [[line.slice(0, at), Number(line.slice(at + 1))] as const];
    }),
  );

/** Returns the lines of one metric. */
export const toLines = (lines: MetricLines, name: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...lines].flatMap(([line, value]) =>
      line === name || line.startsWith(`${name}{`) ? [[line.slice(name.length), value] as const] : [],
    ),
  );

/** Reads `/metrics` of this origin. Throws if that fails. */
export const readMetrics = async (
  origin: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<MetricLines> => {
  const response = await fetch(`${origin}/metrics`, { headers });
  const type = response.headers.get('content-type') ?? '';
  if (response.status !== 200 || !type.startsWith('text/plain; version=0.0.4'))
    throw new Error(`/metrics: ${response.status} ${type} ${await response.text()}`);
  return metricLines(await response.text());
};
