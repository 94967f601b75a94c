/**
 * Writes the alert rules, their tests and the dashboard from the metrics that the code declares. `--check` writes nothing and
 * exits with 1 if a file is not up to date.
 */
import { stringify } from 'yaml';
import { writeGenerated } from '../../tools/generate/write-generated.ts';
import { declaredMetrics, metricNames } from './declared-metrics.ts';
import { grafanaDashboard } from './grafana-dashboard.ts';
import { prometheusRules, prometheusTests } from './prometheus-rules.ts';

const metric = metricNames(await declaredMetrics());

const yaml = (value: object): string =>
  `# Made by deploy/monitoring/generate.ts (npm run generate); do not edit.\n${stringify(value, { lineWidth: 0 })}`;

const rules = yaml(prometheusRules(metric));
const dashboard = `${JSON.stringify(grafanaDashboard(metric), null, 2)}\n`;

writeGenerated('deploy/prometheus/rules.yaml', rules);
writeGenerated('deploy/prometheus/rules.test.yaml', yaml(prometheusTests(metric)));
writeGenerated('deploy/grafana/gatewright.json', dashboard);
// A chart can read only its own files.
writeGenerated('deploy/helm/gatewright/files/rules.yaml', rules);
writeGenerated('deploy/helm/gatewright/files/gatewright.json', dashboard);
