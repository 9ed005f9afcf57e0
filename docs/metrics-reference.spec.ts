import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { APPS, readMetricsPage } from '../test/support/metrics-page';

const root = path.join(__dirname, '..');
const REGISTERED = /\.(?:counter|gauge|histogram|sum)\(\s*'(\w+)'/g;
const UNITS =
  /_(seconds|bytes|units|total|info|messages|connections|fds|ready|up|active|credit|streams|lanes|running|queued|waiting|unpublished|advisories|dispatched|unserved|workers|capacity)$/;

function namesInSource(): string[] {
  const files = ['apps', 'libs'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.spec)\.ts$/.test(file) && !file.includes('node_modules'))
      .map((file) => readFileSync(path.join(root, folder, file), 'utf8')),
  );
  return files.flatMap((text) => [...text.matchAll(REGISTERED)].map(([, name = '']) => name));
}

describe('the page of metrics', () => {
  const metrics = readMetricsPage();

  it('has every metric that is registered, once, and no other', () => {
    expect(metrics.length).toBeGreaterThan(40);
    expect(metrics.map(({ name }) => name).sort()).toEqual([...new Set(namesInSource())].sort());
  });

  it.each(metrics.map((metric) => [metric.name, metric] as const))(
    'says of %s what Prometheus expects',
    (name, metric) => {
      expect(name).toMatch(UNITS);
      expect(name.endsWith('_total')).toBe(metric.type === 'counter');
      if (metric.type === 'histogram') expect(name).toMatch(/_(seconds|bytes|units)$/);
      expect(metric.apps.filter((app) => !APPS.includes(app))).toEqual([]);
      expect(metric.labels.filter((label) => /user|session|invocation|dispatch|runner/.test(label))).toEqual(
        [],
      );
      expect(metric.meaning).toMatch(/^[A-Z].*\.$/);
    },
  );

  it.each([
    ['the dashboard', 'deploy/grafana/dashboards/skein.json', 40],
    ['the alerts', 'deploy/alerts.yml', 15],
  ])('has every metric and label that %s asks for', (_what, file, least) => {
    const queries = queriesOf(readFileSync(path.join(root, file), 'utf8'));
    const known = new Set([...metrics.flatMap(seriesOf), 'up']);
    const labels = new Set([...metrics.flatMap((metric) => metric.labels), 'le', 'job', 'instance']);

    expect(queries.length).toBeGreaterThanOrEqual(least);
    expect(queries.flatMap(metricsIn).filter((name) => !known.has(name))).toEqual([]);
    expect(queries.flatMap(labelsIn).filter((name) => !labels.has(name))).toEqual([]);
  });
});

/** Of a dashboard in JSON, or of rules in YAML whose longer queries follow in lines of their own. */
function queriesOf(text: string): string[] {
  const inJson = [...text.matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map(([, one = '""']) =>
    String(JSON.parse(one)),
  );
  const inYaml = [...text.matchAll(/^( +)expr: (.+(?:\n\1 +.+)*)/gm)].map(([, , one = '']) => one);
  return [...inJson, ...inYaml];
}

function metricsIn(query: string): string[] {
  return query.match(/\b(?:skein|process|nodejs)_\w+|\bup\b/g) ?? [];
}

function labelsIn(query: string): string[] {
  const grouped = [...query.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(',').map((one) => one.trim()),
  );
  const selected = [...query.matchAll(/[{,]\s*(\w+)\s*(?:=~|!=|!~|=)\s*"/g)].map(([, label = '']) => label);
  return [...grouped, ...selected].filter((label) => label !== '');
}

function seriesOf({ name, type }: { readonly name: string; readonly type: string }): string[] {
  return type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
}
